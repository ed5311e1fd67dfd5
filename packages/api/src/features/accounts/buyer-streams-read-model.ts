import { buyerStream, type BuyerStream } from '@switchyard/contract/buyers';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

type Asked = { buyerId: number; seesAll: boolean; scope: AppScope; page: number; limit: number };

type Row = Omit<BuyerStream, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date };

/**
 * A page of streams, newest first, and how many there are: a buyer's own, or with `seesAll` everybody's; of the reader's
 * apps only (api [63], AMB-190).
 */
export async function listBuyerStreams(db: Kysely<Tables>, asked: Asked): Promise<{ rows: BuyerStream[]; total: number }> {
  const shown = sql`
    s.deleted_at is null
    ${asked.seesAll ? sql`` : sql`and s.buyer_id = ${asked.buyerId}`}
    ${asked.scope === 'all' ? sql`` : sql`and s.app_id = any(${asked.scope}::int[])`}
  `;
  const counted = await sql<{ total: number }>`select count(*)::int as total from streams s where ${shown}`.execute(db);
  const { rows } = await sql<Row>`
    select s.uid, s.name, a.bundle, s.rules, s.offer, s.level_cloaking, s.created_at, s.updated_at
    from streams s join apps a on a.id = s.app_id
    where ${shown}
    order by s.created_at desc, s.uid desc
    limit ${asked.limit} offset ${(asked.page - 1) * asked.limit}
  `.execute(db);
  return { rows: rows.map(toBuyerStream), total: counted.rows[0]?.total ?? 0 };
}

const anyRules = buyerStream.shape.rules.catch({ country: [] });

function toBuyerStream({ rules, created_at, updated_at, ...row }: Row): BuyerStream {
  return { ...row, rules: anyRules.parse(rules), created_at: wireDate(created_at), updated_at: wireDate(updated_at) };
}
