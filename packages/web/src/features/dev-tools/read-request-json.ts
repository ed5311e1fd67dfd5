import { encodingProblem } from '@switchyard/contract/dev-tools';
import { exactJson, jsonMembers } from '@switchyard/contract/exact-json';

/** The parsed input: the value to encode and whether it is `body_request` of the input; or an error message. */
export type ReadRequest = { readonly data: unknown; readonly isBodyRequest: boolean } | { readonly message: string };

/**
 * Parses the input as JSON, to the letter. A comma before `}`, `]` and the end of the input is allowed. Of an object with
 * `body_request`, only that value is used. A value that is too large or too deep gives the message of the server.
 */
export function readRequestJson(typedText: string): ReadRequest {
  const text = withoutTrailingCommas(typedText);
  let data: unknown;
  try {
    data = exactJson(text);
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
  // The last of repeated keys counts, as in ingestion.
  const bodyRequest = jsonMembers(text)?.list.findLast(({ key }) => key === 'body_request');
  const request = { data: bodyRequest === undefined ? data : exactJson(bodyRequest.text), isBodyRequest: bodyRequest !== undefined };
  const message = encodingProblem(request.data);
  return message === null ? request : { message };
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
