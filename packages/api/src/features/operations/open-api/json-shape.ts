import { z } from 'zod';

/** A piece of the document; plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether it is an object of the document, neither a list nor null. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record whose keys are known is an object with these properties: what is required has to be defined. */
function nameEntries(schema: z.core.JSONSchema.BaseSchema): void {
  const { required, propertyNames, additionalProperties: value } = schema;
  if (required === undefined || propertyNames === undefined || typeof value !== 'object') return;
  schema.properties = Object.fromEntries(required.map((name) => [name, value]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** JSON Schema of a contract schema: what may be sent (`input`), or what comes (`output`). What has no JSON form is left open. */
export function shapeOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema, zodSchema }) {
      // Booleans of a query are texts such as "1"; to a reader they are booleans.
      if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
      // The bounds of exact integers say nothing, and no length at all is no bound.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.maxLength === Infinity) delete jsonSchema.maxLength;
      nameEntries(jsonSchema);
      const stated = z.globalRegistry.get(zodSchema)?.['default'];
      if (typeof stated === 'string' || typeof stated === 'number') jsonSchema.default = stated;
    },
  });
  return shape;
}
