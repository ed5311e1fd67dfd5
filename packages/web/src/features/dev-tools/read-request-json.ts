import { encodingProblem } from '@switchyard/contract/dev-tools';

/** What was typed, read: the value to encode and whether it is the input's `body_request` alone; or why there is none. */
export type ReadRequest = { readonly data: unknown; readonly isBodyRequest: boolean } | { readonly message: string };

/**
 * Reads the developer's input (DEV-013, DEV-014, AMB-157): JSON, with a comma allowed before `}`, `]` and the end of the
 * input; of an object with `body_request`, only what stands there. A value that is too large or too deep has the
 * message that the server would give.
 */
export function readRequestJson(typed: string): ReadRequest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(withoutTrailingCommas(typed));
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  const read = hasBodyRequest(parsed) ? { data: parsed.body_request, isBodyRequest: true } : { data: parsed, isBodyRequest: false };
  const message = encodingProblem(read.data);
  return message === null ? read : { message };
}

function hasBodyRequest(value: unknown): value is { body_request: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'body_request');
}

/** Puts blanks in the place of commas before `}`, `]` and the end, so that the places that messages name are those of the input. */
function withoutTrailingCommas(typed: string): string {
  let text = '';
  let copied = 0;
  let comma: number | null = null;
  const blank = (): void => {
    if (comma === null) return;
    text += `${typed.slice(copied, comma)} `;
    copied = comma + 1;
    comma = null;
  };
  for (let at = 0; at < typed.length; at += 1) {
    const mark = typed[at];
    if (mark === ',') comma = at;
    else if (mark === '}' || mark === ']') blank();
    else if (mark === '"') {
      comma = null;
      at = endOfText(typed, at);
    } else if (mark !== ' ' && mark !== '\n' && mark !== '\t' && mark !== '\r') comma = null;
  }
  blank();
  return text + typed.slice(copied);
}

/** Where the text in quotes that begins here ends. */
function endOfText(typed: string, start: number): number {
  let at = start + 1;
  while (at < typed.length && typed[at] !== '"') at += typed[at] === '\\' ? 2 : 1;
  return at;
}
