import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from './read-operations.ts';

/** An answer as it came. */
export type Answer = { status: number; headers: Readonly<Record<string, string | number | string[] | undefined>>; text: string };

/** Says what of an answer is not as the description of its call promises; null when all is. */
export type AnswerValidator = (operation: Operation, answer: Answer) => string | null;

/** Validates answers against an OpenAPI document, whose schemas are compiled once. */
export function createAnswerValidator(document: object): AnswerValidator {
  const ajv = new Ajv2020({ strict: false, formats: { binary: true } });
  ajv.addSchema(document, 'document');
  const validators = new Map<unknown, ValidateFunction>();

  function validatorOf(schema: object): ValidateFunction {
    const knownValidator = validators.get(schema);
    if (knownValidator) return knownValidator;
    const validator = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));
    validators.set(schema, validator);
    return validator;
  }

  return ({ answers }, { status, headers, text }) => {
    if (status >= 500) return `is a failure: ${text.slice(0, 200)}`;
    const documentedAnswer = answers.get(status);
    if (!documentedAnswer) return `has the status ${status}, which is not described: ${text.slice(0, 200)}`;
    const missing = documentedAnswer.headers.find((name) => headers[name] === undefined);
    if (missing !== undefined) return `lacks the header ${missing}`;
    const types = Object.keys(documentedAnswer.content);
    const type = String(headers['content-type'] ?? '').replace(/; charset=utf-8$/, '');
    if (types.length === 0) return text === '' ? null : 'has a body';
    const documentedBody = documentedAnswer.content[type];
    if (!documentedBody) return `is ${type}, not ${types.join(' or ')}`;
    const validate = validatorOf(documentedBody.schema);
    if (validate(type === 'application/json' ? JSON.parse(text) : text)) return null;
    return `does not fit: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`;
  };
}
