import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema; required: boolean; example?: unknown };
type Media = { schema: JsonSchema; example?: unknown };
export type Operation = {
  /** `GET /api/apps/{id}`. */
  title: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  parameters: readonly Parameter[];
  /** By content type. */
  bodies: Readonly<Record<string, Media>>;
  /** Answers by status; their content by content type. */
  answers: ReadonlyMap<number, { headers: readonly string[]; content: Readonly<Record<string, Media>> }>;
  /** Name of the security scheme; null: public. */
  security: string | null;
};

const json = z.record(z.string(), z.unknown());
const media = z.object({ schema: json, example: z.unknown().optional() });
const content = z.record(z.string(), media).default({});
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: json,
  required: z.boolean().default(false),
  example: z.unknown().optional(),
});
const answer = z.object({ headers: json, content });
const operation = z.object({
  parameters: z.array(json),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), json),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });
const methods = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;

/** The calls of an OpenAPI document, from the document alone. */
export function readOperations(text: unknown): Operation[] {
  const whole = json.parse(text);
  const resolve = (value: JsonSchema): JsonSchema => {
    const { $ref } = value;
    return typeof $ref === 'string' ? json.parse(lookUp(whole, $ref)) : value;
  };
  return Object.entries(document.parse(text).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, definition]): Operation => {
      const method = methods[z.enum(['get', 'post', 'put', 'delete']).parse(name)];
      const answers = Object.entries(definition.responses).map(([status, responseOrReference]) => {
        const { headers, content: bodies } = answer.parse(resolve(responseOrReference));
        return [Number(status), { headers: Object.keys(headers), content: bodies }] as const;
      });
      const [scheme] = definition.security.flatMap((requirement) => Object.keys(requirement));
      return {
        title: `${method} ${path}`,
        method,
        path,
        parameters: definition.parameters.map((parameterOrReference) => parameter.parse(resolve(parameterOrReference))),
        bodies: definition.requestBody?.content ?? {},
        answers: new Map(answers),
        security: scheme ?? null,
      };
    }),
  );
}

/** The part of a document at which `#/a/b` points. */
function lookUp(whole: JsonSchema, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => json.parse(node)[key], whole);
}
