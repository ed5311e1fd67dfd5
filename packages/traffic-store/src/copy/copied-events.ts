import type { Microseconds } from '@switchyard/contract/dates';
import { jsonMembers } from '@switchyard/contract/exact-json';
import { parseExactRow, positions, type EventColumn, toListed, type UnnamedEvent } from '../event-fields.ts';
import type { Span } from '../time-buckets.ts';

/** A stored event as it is copied: the columns that lists do not read, and the others as lists read them. */
export type CopiedEvent = readonly [flags: number, asn: string, listed: UnnamedEvent];

/** The events of a time with ids up to the last one. */
export type EventRange = Span & { lastId: number };

export type SumKey = 'kind' | 'hour';

/**
 * A store that events are copied from or to. Ids are the same in both stores, so that cursors stay valid and an event that was not copied
 * yet is found by its id.
 */
export type CopiedStore = {
  name: string;
  /** The start of the first day that retention has left; null: it has dropped none. */
  oldestDay(): Promise<Microseconds | null>;
  /** The time of the stored events with ids up to this one; null: there are none. */
  extent(lastId: number): Promise<Span | null>;
  /**
   * Sums by app, type and flags, or by hour since the start: how many events there are, their ids, their times, and the last 32 bits of
   * their uuids. Both stores give the same texts for the same events.
   */
  sums(range: EventRange, by: SumKey): Promise<ReadonlyMap<string, string>>;
  ids(range: EventRange): Promise<Set<number>>;
  /** The events some at a time, at most `blockRows` of them and of about `blockCharacters`. */
  read(range: EventRange): AsyncIterable<readonly CopiedEvent[]>;
  /** Stores events that this store does not hold. */
  insert(events: readonly CopiedEvent[]): Promise<void>;
};

/** Events that are inserted together at most. */
const blockRows = 20_000;
/** The bound in characters of JSON, because bodies may be large. */
const blockCharacters = 32_000_000;

/** The value of an event's column. */
export function valueOf(column: EventColumn, [flags, asn, listedValues]: CopiedEvent): unknown {
  return column === 'flags' ? flags : column === 'asn' ? asn : listedValues[positions[column]];
}

/** Parses events that a store gave as JSON texts, and joins them to blocks. */
export async function* inBlocks(texts: AsyncIterable<readonly string[]>): AsyncGenerator<readonly CopiedEvent[]> {
  let block: string[] = [];
  let characters = 0;
  for await (const some of texts) {
    for (const text of some) {
      block.push(text);
      characters += text.length;
      if (block.length < blockRows && characters < blockCharacters) continue;
      yield parse(block);
      [block, characters] = [[], 0];
    }
  }
  if (block.length > 0) yield parse(block);
}

function parse(texts: readonly string[]): readonly CopiedEvent[] {
  const json = `[${texts.join(',')}]`;
  const storedRows: StoredRow[] = JSON.parse(json);
  const rows = JSON.stringify(storedRows) === json ? storedRows : texts.map(parseExactly);
  return rows.map(([flags, asn, row]) => [flags, asn, toListed(row)]);
}

type StoredRow = readonly [flags: number, asn: string, row: readonly unknown[]];

function parseExactly(text: string): StoredRow {
  const [flags, asn]: StoredRow = JSON.parse(text);
  return [flags, asn, parseExactRow(jsonMembers(text)?.list[2]?.text ?? '[]')];
}
