import { type Kysely, sql } from 'kysely';

/** Why autonomous systems are banned; apart from them, because each update of a system costs entries of their word index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table asn_ban_reasons (code bigint primary key references asns on delete cascade, reason text not null)`.execute(db);
}
