import type pg from 'pg';

/** Rows of each table of the product, partitions counted with their table. */
export async function countRows(client: Pick<pg.ClientBase, 'query'>): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname !~ '^kysely_' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: number }>(`select count(*)::integer as n from "${name}"`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}
