import { buyerStream, type BuyerStream } from '@switchyard/contract/buyers';
import { wireDate } from '@switchyard/contract/dates';
import { type Kysely, sql } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Tables } from '../../database/tables.ts';

type BuyerStreamsQuery = { buyerId: number; seesAll: boolean; scope: AppScope; page: number; limit: number };

type Row = Omit<BuyerStream, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

/**
 * A page of streams, newest first, and their total: those of a buyer or, with `seesAll`, of all buyers; only of apps within
 * the reader's scope.
 */
export async function listStreamsOfBuyer(db: Kysely<Tables>, query: BuyerStreamsQuery): Promise<{ rows: BuyerStream[]; total: number }> {
  const isVisible = sql`
    s.deleted_at is null
    ${query.seesAll ? sql`` : sql`and s.buyer_id = ${query.buyerId}`}
    ${query.scope === 'all' ? sql`` : sql`and s.app_id = any(${query.scope}::int[])`}
  `;
  const total = await sql<{ total: number }>`select count(*)::int as total from streams s where ${isVisible}`.execute(db);
  const { rows } = await sql<Row>`
    select s.uid, s.name, a.bundle, s.rules, s.offer, s.level_cloaking, s.created_at, s.updated_at
    from streams s join apps a on a.id = s.app_id
    where ${isVisible}
    order by s.created_at desc, s.uid desc
    limit ${query.limit} offset ${(query.page - 1) * query.limit}
  `.execute(db);
  return { rows: rows.map(toBuyerStream), total: total.rows[0]?.total ?? 0 };
}

const anyRules = buyerStream.shape.rules.catch({ country: [] });

function toBuyerStream({ rules, created_at, updated_at, ...row }: Row): BuyerStream {
  return { ...row, rules: anyRules.parse(rules), created_at: wireDate(created_at), updated_at: wireDate(updated_at) };
}
