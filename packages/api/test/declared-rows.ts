import { join, relative } from 'node:path';
import type { Node } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API, SymbolFlags, type Symbol as TypeSymbol, type Type } from 'typescript/unstable/sync';

/** A column as TypeScript declares it. `isOptional`: an insert may leave it out. */
type DeclaredColumn = { kind: string; isNullable: boolean; isOptional: boolean };
type DeclaredColumns = ReadonlyMap<string, DeclaredColumn>;

/** A read `sql<Row>`: its statement with numbered parameters, and the columns of the row type. */
type TypedRead = { file: string; statement: string; columns: DeclaredColumns };

/** Rows as the server declares them. `unknownReads`: those whose statement depends on more than values. */
export type DeclaredRows = { tables: ReadonlyMap<string, DeclaredColumns>; reads: readonly TypedRead[]; unknownReads: number };

/** The kind of a type, whether or not it may be null: `'a' | 'b' | null` is a string. */
function kindOf(text: string): string {
  const parts = text.split(' | ').filter((part) => part !== 'null' && part !== 'undefined');
  const present = parts.join(' | ').replace(/^readonly /, '');
  if (present.endsWith('[]')) return `${kindOf(present.slice(0, -2).replaceAll(/^\(|\)$/g, ''))}[]`;
  if (parts.every((part) => part === 'string' || part.startsWith('"'))) return 'string';
  if (parts.every((part) => part === 'number' || /^-?\d/.test(part))) return 'number';
  if (parts.every((part) => ['boolean', 'true', 'false'].includes(part))) return 'boolean';
  return /^(?:Date|Buffer|unknown)\b/.exec(present)?.[0] ?? 'json';
}

/** Thrown for a statement that cannot be told from the sources. */
class UnknownStatement extends Error {
  override name = 'UnknownStatement';
}

/** Asks the compiler for the types of tables and reads. */
export function readDeclaredRows(): DeclaredRows {
  const root = join(import.meta.dirname, '../../..');
  const sources = join(import.meta.dirname, '../src/');
  const compiler = new API({ cwd: root });
  const [project] = compiler.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
  if (project === undefined) throw new Error('tsconfig.json has no project');
  const { program, checker } = project;
  /** Arguments of the functions that make parts of a statement, by their parameters. */
  const givenArguments = new Map<number, Node>();

  const textOf = (type: Type): string => checker.typeToString(type, undefined, 1);

  function typeOf(symbol: TypeSymbol): Type {
    const type = checker.getTypeOfSymbol(symbol);
    if (type === undefined) throw new Error(`${symbol.name} has no type`);
    return type;
  }

  function columnsOf(type: Type): DeclaredColumns {
    return new Map(checker.getPropertiesOfType(type).map((property) => [property.name, toColumn(typeOf(property))]));
  }

  function toColumn(type: Type): DeclaredColumn {
    // A ColumnType has a type for reads and one for inserts.
    const part = (name: string): string => {
      const own = checker.getPropertyOfType(type, name);
      return textOf(own === undefined ? type : typeOf(own));
    };
    const [selected, inserted] = [part('__select__'), part('__insert__')];
    return {
      kind: kindOf(selected),
      isNullable: /^unknown$| \| null\b/.test(selected),
      isOptional: /^unknown$|\b(?:undefined|null)\b/.test(inserted),
    };
  }

  function symbolOf(node: Node): TypeSymbol | undefined {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** The expression that a name stands for: the argument of a parameter, or the value of a constant. */
  function valueOf(name: Node): Node {
    const symbol = symbolOf(name);
    const given = symbol && givenArguments.get(symbol.id);
    if (given !== undefined) return given;
    const declaration = symbol?.valueDeclaration?.resolve(project);
    if (
      declaration !== undefined &&
      (is.isVariableDeclaration(declaration) || is.isParameterDeclaration(declaration)) &&
      declaration.initializer
    )
      return declaration.initializer;
    throw new UnknownStatement(name.getText());
  }

  function literalOf(node: Node): string {
    if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node) || is.isNumericLiteral(node)) return node.text;
    if (is.isTemplateExpression(node))
      return node.head.text + node.templateSpans.map((span) => literalOf(span.expression) + span.literal.text).join('');
    if (is.isIdentifier(node)) return literalOf(valueOf(node));
    throw new UnknownStatement(node.getText());
  }

  /** The expression that a function returns for these arguments. */
  function resultOf(called: Node, given: readonly Node[]): Node {
    const declared = symbolOf(called)?.valueDeclaration?.resolve(project);
    const made = declared !== undefined && is.isVariableDeclaration(declared) ? declared.initializer : declared;
    if (made === undefined || !(is.isFunctionDeclaration(made) || is.isArrowFunction(made)) || made.body === undefined)
      throw new UnknownStatement(called.getText());
    for (const [at, { name }] of made.parameters.entries()) {
      const [symbol, argument] = [symbolOf(name), given[at]];
      if (symbol !== undefined && argument !== undefined) givenArguments.set(symbol.id, argument);
    }
    if (!is.isBlock(made.body)) return made.body;
    const last = made.body.statements.at(-1);
    if (last === undefined || !is.isReturnStatement(last) || last.expression === undefined) throw new UnknownStatement(called.getText());
    return last.expression;
  }

  /** The first value of an object of alternatives. */
  function firstOf(node: Node): Node {
    const object = is.isIdentifier(node) ? valueOf(node) : node;
    const [first] = is.isObjectLiteralExpression(object) ? object.properties : [];
    if (first === undefined || !is.isPropertyAssignment(first)) throw new UnknownStatement(node.getText());
    return first.initializer;
  }

  /** The text of a part of a statement. Of alternatives it takes the first. `values` counts parameters. */
  function sqlOf(node: Node, values: { count: number }): string {
    if (is.isTaggedTemplateExpression(node)) {
      if (is.isNoSubstitutionTemplateLiteral(node.template)) return node.template.text;
      const { head, templateSpans } = node.template;
      return head.text + templateSpans.map(({ expression, literal }) => partOf(expression, values) + literal.text).join('');
    }
    if (is.isConditionalExpression(node)) return sqlOf(node.whenTrue, values);
    if (is.isBinaryExpression(node) && node.operatorToken.getText() === '??') return sqlOf(node.right, values);
    if (is.isElementAccessExpression(node)) return sqlOf(firstOf(node.expression), values);
    if (is.isIdentifier(node)) return sqlOf(valueOf(node), values);
    if (is.isCallExpression(node)) {
      const [first] = node.arguments;
      if (/^sql\.(?:ref|table|raw|lit)$/.test(node.expression.getText()) && first !== undefined) return literalOf(first);
      return sqlOf(resultOf(node.expression, node.arguments), values);
    }
    throw new UnknownStatement(node.getText());
  }

  function partOf(node: Node, values: { count: number }): string {
    const type = checker.getTypeAtLocation(node);
    if (type !== undefined && /\b(?:RawBuilder|Expression)</.test(textOf(type))) return sqlOf(node, values);
    values.count += 1;
    return `$${values.count}`;
  }

  const reads: TypedRead[] = [];
  let unknownReads = 0;
  function visit(file: string, node: Node): void {
    node.forEachChild((child) => visit(file, child));
    if (!is.isTaggedTemplateExpression(node) || node.tag.getText() !== 'sql') return;
    const [row] = node.typeArguments ?? [];
    const type = row && checker.getTypeFromTypeNode(row);
    if (type === undefined || kindOf(textOf(type)) !== 'json') return;
    try {
      const statement = sqlOf(node, { count: 0 });
      if (/^\s*(?:select|insert|update|delete|with)\b/.test(statement)) reads.push({ file, statement, columns: columnsOf(type) });
    } catch (error) {
      if (!(error instanceof UnknownStatement)) throw error;
      unknownReads += 1;
    }
  }

  let tables: DeclaredRows['tables'] = new Map();
  for (const name of program.getSourceFileNames()) {
    const file = relative(sources, name);
    const source = file.startsWith('..') || file.endsWith('.test.ts') ? undefined : program.getSourceFile(name);
    if (source === undefined) continue;
    visit(file, source);
    if (file !== 'database/tables.ts') continue;
    for (const statement of source.statements) {
      if (!is.isTypeAliasDeclaration(statement) || statement.name.text !== 'Tables') continue;
      const type = checker.getTypeFromTypeNode(statement.type);
      if (type !== undefined) tables = new Map(checker.getPropertiesOfType(type).map((table) => [table.name, columnsOf(typeOf(table))]));
    }
  }
  compiler.close();
  return { tables, reads, unknownReads };
}
