import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const folder = import.meta.dirname;
const root = join(folder, '../../..');

/**
 * Compiles programs against the types that an OpenAPI document gives, with the repository's own compiler options. Returns a list of
 * the compiler's messages for each program. An empty one means that it compiles. The types and the programs exist in memory only,
 * as if they were in this folder.
 */
export async function compileAgainst(document: string, programs: readonly string[]): Promise<string[][]> {
  const texts = new Map([[join(folder, 'console-api.d.ts'), astToString(await openapiTS(document))]]);
  const names = programs.map((_text, index) => join(folder, `program-${index}.ts`));
  for (const [index, name] of names.entries()) texts.set(name, programs[index] ?? '');
  const options = compilerOptions();
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile(path, target, ...rest) {
      const text = texts.get(path);
      return text === undefined ? disk.getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target, true);
    },
  };
  // One compilation for all: the generated types are read once.
  const compilation = ts.createProgram(names, options, host);
  const general = compilation.getOptionsDiagnostics();
  return names.map((name) => {
    const source = compilation.getSourceFile(name);
    return [...general, ...compilation.getSyntacticDiagnostics(source), ...compilation.getSemanticDiagnostics(source)].map(messageOf);
  });
}

function compilerOptions(): ts.CompilerOptions {
  const settings: unknown = JSON.parse(readFileSync(join(root, 'tsconfig.base.json'), 'utf8'));
  return ts.parseJsonConfigFileContent(settings, ts.sys, root).options;
}

function messageOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, '\n');
}
