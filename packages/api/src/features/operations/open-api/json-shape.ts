import { z } from 'zod';

/** A piece of the document; plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether it is an object of the document, neither a list nor null. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Turns a record with known keys into an object with these properties, because required properties must be defined. */
function nameEntries(schema: z.core.JSONSchema.BaseSchema): void {
  const { required: requiredKeys, propertyNames, additionalProperties: value } = schema;
  if (requiredKeys === undefined || propertyNames === undefined || typeof value !== 'object') return;
  schema.properties = Object.fromEntries(requiredKeys.map((name) => [name, value]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** JSON Schema of a contract schema, for requests (`input`) or responses (`output`). Types without a JSON form are left open. */
export function shapeOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema, zodSchema }) {
      // Booleans of a query are sent as texts such as "1" but documented as booleans.
      if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
      // The bounds of safe integers and an infinite length carry no information.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.maxLength === Infinity) delete jsonSchema.maxLength;
      nameEntries(jsonSchema);
      const defaultValue = z.globalRegistry.get(zodSchema)?.['default'];
      if (typeof defaultValue === 'string' || typeof defaultValue === 'number') jsonSchema.default = defaultValue;
    },
  });
  return shape;
}
