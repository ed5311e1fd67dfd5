import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 20;
/** Values that roll-ups count, over everything that is stored. */
const countedLimit = 100;
/** Values that are counted from the newest events: well within the statement limit. */
const readLimit = 2500;

/** Top values of all time: those that roll-ups know, and those that the newest events are read for. */
export async function measureTopValues({ admin, ofOneApp, repeat }: BenchContext): Promise<Measure[]> {
  const exact = await sampleInTurn(repeat(rounds), {
    top_app: () => admin.get('all-requests/top?field=app'),
    top_country: () => admin.get('all-requests/top?field=country'),
    top_type: () => admin.get('all-requests/top?field=type'),
    top_stream: () => admin.get('all-requests/top?field=stream'),
    top_stream_one_app: () => ofOneApp.get('all-requests/top?field=stream'),
    top_country_part_of_days: () => admin.get(`all-requests/top?field=country&startDate=${dayAgo(30)}T07:30:00Z`),
  });
  const newest = await sampleInTurn(repeat(rounds / 4), {
    top_bot: () => admin.get('all-requests/top?field=bot'),
    top_asn: () => admin.get('all-requests/top?field=asn'),
    top_error: () => admin.get('all-requests/top?field=error'),
    top_bot_one_app: () => ofOneApp.get('all-requests/top?field=bot'),
    top_country_of_search: () => admin.get('all-requests/top?field=country&search=1.0.0.0/10'),
    top_country_without_bots: () => admin.get('all-requests/top?field=country&botNot=BOT'),
  });
  const of = (durationsOfKind: typeof exact | typeof newest, limit: number) =>
    Object.entries(durationsOfKind).map(([name, durations]) => limitMeasure(`${name}_p50`, durations.p50, 'ms', limit));
  return [...of(exact, countedLimit), ...of(newest, readLimit)];
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
