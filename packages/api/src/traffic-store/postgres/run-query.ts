import { createHash } from 'node:crypto';
import type { Query } from './list/event-queries.ts';
import type { Reader } from './snapshot.ts';
import type { ListedEvent } from '../event-fields.ts';
import type { EventPage } from './stored-event.ts';

/**
 * Runs a query for a page. Planning over the partitions costs more than reading a page, so statements are kept prepared
 * unless told otherwise. `matches` is what a search says of itself, else 0.
 */
export async function runQuery(
  reader: Reader,
  query: Query,
  { isKept } = { isKept: true },
): Promise<{ rows: ListedEvent[]; matches: number }> {
  const name = isKept ? { name: keptName(query.text) } : {};
  const { rows } = await reader.query<EventPage & { matches?: number }>({ ...name, ...query });
  return { rows: rows.flatMap(({ page }) => page), matches: rows[0]?.matches ?? 0 };
}

const names = new Map<string, string>();

/** The name under which a statement is kept prepared: the same for the same text. Only for texts of which there are few. */
export function keptName(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 40);
  names.set(text, name);
  return name;
}
