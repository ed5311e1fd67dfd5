import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** SQL: whether an entry of the black list has not expired. */
export function isPresent(now: Date): RawBuilder<SqlBool> {
  return sql<SqlBool>`(expires_at is null or expires_at > ${now})`;
}
