import { parseExactly } from '@switchyard/contract/exact-json';
import { ingestedData } from '@switchyard/contract/ingested-data';

/** Fields of answers that hold JSON of a sender. */
const dataFields: ReadonlySet<string> = new Set<string>([...ingestedData.events, 'context', 'extra']);

/** Parses JSON of the console; data of senders is to the letter. `isData`: so is the answer itself. */
export function parseAnswer(text: string, { isData = false } = {}): unknown {
  return parseExactly(text, (key) => dataFields.has(key) || (isData && key === 'data'));
}
