import { encodingProblem } from '@switchyard/contract/dev-tools';

/** The parsed input: the value to encode and whether it is `body_request` of the input; or an error message. */
export type ReadRequest = { readonly data: unknown; readonly isBodyRequest: boolean } | { readonly message: string };

/**
 * Parses the input as JSON. A comma before `}`, `]` and the end of the input is allowed. Of an object with
 * `body_request`, only that value is used. A value that is too large or too deep gives the message of the server.
 */
export function readRequestJson(typedText: string): ReadRequest {
  let content: unknown;
  try {
    content = JSON.parse(withoutTrailingCommas(typedText));
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  const request = hasBodyRequest(content) ? { data: content.body_request, isBodyRequest: true } : { data: content, isBodyRequest: false };
  const message = encodingProblem(request.data);
  return message === null ? request : { message };
}

function hasBodyRequest(value: unknown): value is { body_request: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'body_request');
}

/** Replaces commas before `}`, `]` and the end by spaces, so that positions in error messages match the input. */
function withoutTrailingCommas(typedText: string): string {
  let text = '';
  let copiedCount = 0;
  let comma: number | null = null;
  const blank = (): void => {
    if (comma === null) return;
    text += `${typedText.slice(copiedCount, comma)} `;
    copiedCount = comma + 1;
    comma = null;
  };
  for (let at = 0; at < typedText.length; at += 1) {
    const mark = typedText[at];
    if (mark === ',') comma = at;
    else if (mark === '}' || mark === ']') blank();
    else if (mark === '"') {
      comma = null;
      at = endOfText(typedText, at);
    } else if (mark !== ' ' && mark !== '\n' && mark !== '\t' && mark !== '\r') comma = null;
  }
  blank();
  return text + typedText.slice(copiedCount);
}

/** The position of the quote that ends the string beginning here. */
function endOfText(typedText: string, start: number): number {
  let at = start + 1;
  while (at < typedText.length && typedText[at] !== '"') at += typedText[at] === '\\' ? 2 : 1;
  return at;
}
