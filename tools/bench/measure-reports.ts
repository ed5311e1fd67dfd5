import type { BenchContext } from './bench-context.ts';
import type { Measure } from './report.ts';
import { against, dayAgo, each, shown, timeCalls, within } from './time-calls.ts';

const rounds = 20;
/** Milliseconds of what roll-ups answer, over everything that is stored. */
const counted = within(100);
/** Milliseconds of what is counted from the newest events: well within the limit of a statement. */
const read = within(2500);
/** Ratios, an order by change and a pivot take at most this many times as long as the same report without. */
const mostCost = 1.1;

/** Top values of all time: those that roll-ups know, and those that the newest events are read for. */
export async function measureTopValues({ admin, ofOneApp, repeat }: BenchContext): Promise<Measure[]> {
  const exact = {
    top_app: () => admin.get('all-requests/top?field=app'),
    top_country: () => admin.get('all-requests/top?field=country'),
    top_type: () => admin.get('all-requests/top?field=type'),
    top_stream: () => admin.get('all-requests/top?field=stream'),
    top_stream_one_app: () => ofOneApp.get('all-requests/top?field=stream'),
    top_country_part_of_days: () => admin.get(`all-requests/top?field=country&startDate=${dayAgo(30)}T07:30:00Z`),
  };
  const newest = {
    top_bot: () => admin.get('all-requests/top?field=bot'),
    top_asn: () => admin.get('all-requests/top?field=asn'),
    top_error: () => admin.get('all-requests/top?field=error'),
    top_bot_one_app: () => ofOneApp.get('all-requests/top?field=bot'),
    top_country_of_search: () => admin.get('all-requests/top?field=country&search=1.0.0.0/10'),
    top_country_without_bots: () => admin.get('all-requests/top?field=country&botNot=BOT'),
  };
  return [...(await timeCalls(repeat(rounds), each(exact, counted))), ...(await timeCalls(repeat(rounds / 4), each(newest, read)))];
}

/** Reports on 90 days: those that roll-ups answer, and the largest that are counted from finer rows. */
export async function measureReports({ admin, ofOneApp, repeat }: BenchContext): Promise<Measure[]> {
  const all = `reports?startDate=${dayAgo(89)}`;
  const of = (query: string) => `${all}&measure=requests,success_share,bot_share&${query}`;
  const sums = 'requests,create,receive,error,conversions';
  const costs = (baseline: string) => [against(baseline, mostCost, { as: 'cost' }), counted];
  const weekdayHours = of('groupBy=weekday,hour');
  return [
    ...(await timeCalls(repeat(rounds), {
      report_app: [() => admin.get(of('groupBy=app')), counted],
      report_country: [() => admin.get(of('groupBy=country')), counted],
      report_day: [() => admin.get(of('groupBy=day')), counted],
      report_stream: [() => admin.get(of('groupBy=stream')), counted],
      report_hour: [() => admin.get(of('groupBy=hour')), counted],
      report_app_types: [() => admin.get(`${all}&groupBy=app&measure=requests,create,create_success,receive`), counted],
      report_app_sums: [() => admin.get(`${all}&groupBy=app&measure=${sums}`), counted],
      report_app_ratios: [
        () => admin.get(`${all}&groupBy=app&measure=${sums},receive_to_create,create_to_conversion,error_share`),
        ...costs('report_app_sums'),
      ],
      report_app_compared: [() => admin.get(of('groupBy=app&compare=previous')), counted],
      report_app_movers: [
        () => admin.get(of('groupBy=app&compare=previous&orderBy=change:requests&orderDirection=asc')),
        ...costs('report_app_compared'),
      ],
      report_app_day: [() => admin.get(of('groupBy=app,day')), counted],
      report_weekday_hour: [() => admin.get(`${weekdayHours}&limit=1000`), counted],
      report_weekday_hour_pivot: [() => admin.get(`${weekdayHours}&pivot=1&limit=1000`), ...costs('report_weekday_hour')],
      report_day_all_measures: [() => admin.get(`${all}&groupBy=day`), counted],
      report_app_all_measures: [() => admin.get(`${all}&groupBy=app`), counted],
      report_stream_of_one_app: [() => ofOneApp.get(of('groupBy=stream')), counted],
    })),
    ...(await timeCalls(repeat(rounds / 4), {
      report_app_country: [() => admin.get(of('groupBy=app,country')), shown()],
      report_stream_country: [() => admin.get(of('groupBy=stream,country')), shown()],
      report_app_hour: [() => admin.get(of('groupBy=app,hour')), shown()],
    })),
  ];
}
