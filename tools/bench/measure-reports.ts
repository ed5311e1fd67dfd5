import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 20;
/** Reports that roll-ups answer. */
const countedLimit = 100;
/** Ratios, an order by change and a pivot take at most so many times as long as the same report without. */
const mostCost = 1.1;

/** Reports on 90 days: those that roll-ups answer, and the largest that are counted from finer rows. */
export async function measureReports({ admin, ofOneApp, repeat }: BenchContext): Promise<Measure[]> {
  const since = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10);
  const of = (query: string) => `reports?startDate=${since}&measure=requests,success_share,bot_share&${query}`;
  const all = `reports?startDate=${since}`;
  const weekdayHours = of('groupBy=weekday,hour');
  const exact = await sampleInTurn(repeat(rounds), {
    report_app: () => admin.get(of('groupBy=app')),
    report_country: () => admin.get(of('groupBy=country')),
    report_day: () => admin.get(of('groupBy=day')),
    report_stream: () => admin.get(of('groupBy=stream')),
    report_hour: () => admin.get(of('groupBy=hour')),
    report_app_types: () => admin.get(`${all}&groupBy=app&measure=requests,create,create_success,receive`),
    report_app_sums: () => admin.get(`${all}&groupBy=app&measure=requests,create,receive,error,conversions`),
    report_app_ratios: () =>
      admin.get(`${all}&groupBy=app&measure=requests,create,receive,error,conversions,receive_to_create,create_to_conversion,error_share`),
    report_app_compared: () => admin.get(of('groupBy=app&compare=previous')),
    report_app_movers: () => admin.get(of('groupBy=app&compare=previous&orderBy=change:requests&orderDirection=asc')),
    report_app_day: () => admin.get(of('groupBy=app,day')),
    report_weekday_hour: () => admin.get(`${weekdayHours}&limit=1000`),
    report_weekday_hour_pivot: () => admin.get(`${weekdayHours}&pivot=1&limit=1000`),
    report_day_all_measures: () => admin.get(`${all}&groupBy=day`),
    report_app_all_measures: () => admin.get(`${all}&groupBy=app`),
    report_stream_of_one_app: () => ofOneApp.get(of('groupBy=stream')),
  });
  const finer = await sampleInTurn(repeat(rounds / 4), {
    report_app_country: () => admin.get(of('groupBy=app,country')),
    report_stream_country: () => admin.get(of('groupBy=stream,country')),
    report_app_hour: () => admin.get(of('groupBy=app,hour')),
  });
  const costOf = (name: keyof typeof exact, baseline: keyof typeof exact): Measure =>
    ratioMeasure(`${name}_cost`, exact[name].p50, 'ms', { baseline: exact[baseline].p50, atMost: mostCost });
  return [
    costOf('report_app_ratios', 'report_app_sums'),
    costOf('report_app_movers', 'report_app_compared'),
    costOf('report_weekday_hour_pivot', 'report_weekday_hour'),
    ...Object.entries(exact).map(([name, { p50 }]) => limitMeasure(`${name}_p50`, p50, 'ms', countedLimit)),
    ...Object.entries(finer).map(([name, { p50 }]) => shownMeasure(`${name}_p50`, p50, 'ms')),
  ];
}
