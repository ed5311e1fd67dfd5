import { dayRange, type Microseconds } from '@switchyard/contract/dates';
import { markLimits, type MarkKind } from '@switchyard/contract/marks';
import { day, hour, week, type Span } from '@switchyard/traffic-store/time-buckets';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** A range of time in buckets of one length, which begin where days of the server do. */
export type MarkSpan = Span & { bucket: Microseconds; origin: Microseconds };

/** Rows of a kind in a bucket: how many, when the newest was, and the ids of the newest ones. */
export type MarkGroup = { kind: MarkKind; bucket: number; count: number; at: Date; ids: number[] };

const minute = hour / 60;
/** Each of a day's lengths divides the next, so that no bucket reaches over midnight. */
const bucketLengths = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, day, week];
const aMonday = '2001-01-01';

/** The range in so many buckets that there are no more marks than a call may give; of a range that is too long its end. */
export function markSpan({ from, until }: Span, serverOffset: string): MarkSpan {
  const start = Math.max(from, until - markLimits.days * day);
  // One less, because a range need not begin with a bucket.
  const bucket = bucketLengths.find((length) => (until - start) / length <= markLimits.marks - 1) ?? 2 * week;
  return { from: start, until, bucket, origin: dayRange(aMonday, serverOffset).from };
}

/** Groups rows of `source`, which has the columns `kind`, `id` and `at`, by kind and bucket. */
export async function groupMarks(db: Kysely<Tables>, { bucket, origin }: MarkSpan, source: RawBuilder<unknown>): Promise<MarkGroup[]> {
  const { rows } = await sql<Omit<MarkGroup, 'bucket'> & { bucket: Date }>`
    select kind, bucket, count(*) as count, max(at) as at, (array_agg(id order by at desc, id desc) filter (where place <= ${markLimits.entries})) as ids
    from (select kind, id, at, bucket, row_number() over (partition by kind, bucket order by at desc, id desc) as place
      from (select kind, id, at, date_bin(${bucket}::bigint * interval '1 microsecond', at, ${new Date(origin / 1000)}::timestamptz) as bucket
        from (${source}) as found) as placed) as ranked
    group by kind, bucket
  `.execute(db);
  return rows.map((row) => ({ ...row, bucket: row.bucket.getTime() }));
}
