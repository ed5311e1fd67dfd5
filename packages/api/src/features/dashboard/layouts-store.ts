import type { Place } from '@switchyard/contract/dashboard';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';

export type StoredLayout = { places: Place[]; version: number };
/** Whose layout, of which board; null: of Home. */
export type LayoutKey = { accountId: number; boardId: number | null };

/** The layout of an account; undefined until it stores one. */
export async function findLayout(db: Kysely<Tables>, { accountId, boardId }: LayoutKey): Promise<StoredLayout | undefined> {
  const { rows } = await sql<StoredLayout>`
    select places, version from board_layouts where account_id = ${accountId} and board_id is not distinct from ${boardId}::int`.execute(
    db,
  );
  return rows[0];
}

/** Stores the layout of an account, and gives its version. */
export async function updateStoredLayout(
  tx: OpenTransaction,
  { accountId, boardId }: LayoutKey,
  places: readonly Place[],
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into board_layouts (account_id, board_id, places) values (${accountId}, ${boardId}, ${JSON.stringify(places)})
    on conflict (account_id, board_id) do update set places = excluded.places, version = board_layouts.version + 1
    returning version
  `.execute(tx);
  return existing(rows[0]).version;
}
