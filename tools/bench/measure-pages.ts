import type { BenchContext } from './bench-context.ts';
import type { Measure } from './report.ts';
import { against, each, instantAgo, timeCalls, within } from './time-calls.ts';

const rounds = 100;
const farPage = 10_000;

/** Numbered pages of one app with their exact totals: the first, those in the middle and at the end, sorted and filtered. */
export async function measurePages({ admin, events, busiestApp, appId, targets, repeat }: BenchContext): Promise<Measure[]> {
  const list = (query: string, id = busiestApp) => admin.get(`apps/${id}/postbacks?${query}`);
  const { total } = (await list('')).body.pagination;
  const last = Math.max(1, Math.floor((total ?? 0) / 50));
  const middle = Math.max(1, Math.floor(last / 2));
  const pages = await timeCalls(repeat(rounds), {
    page_first: [() => list(''), against('raw', 3)],
    page_first_middling_app: [() => list('', appId), against('raw', 3)],
    page_middle: [() => list(`page=${middle}`), against('page_first', targets.pageRatio)],
    page_last: [() => list(`page=${last}`), against('page_first', targets.pageRatio)],
    raw: [() => events.newestOf(busiestApp)],
  });
  const arranged = {
    page_id: () => list('orderBy=id'),
    page_id_middle: () => list(`orderBy=id&page=${middle}`),
    page_type: () => list('orderBy=type'),
    page_type_middle: () => list(`orderBy=type&page=${middle}`),
    page_filter_type: () => list('type=create'),
    page_filter_error: () => list('type=error'),
    page_filter_country: () => list('geo=DE,US'),
    page_filter_country_last: () => list(`geo=DE,US&page=${Math.max(1, Math.floor(last / 5))}`),
    page_filter_stream: () => list(`streamUid=st_${busiestApp}_1`),
    page_filter_rare: () => list(`type=error&geo=IS,NZ&streamUid=st_${busiestApp}_1`),
    page_part_of_days: () => list(`startDate=${instantAgo(60.3)}&endDate=${instantAgo(0.2)}`),
    page_search_ip: () => list('search=1.2.3.4'),
    page_search_block: () => list('search=1.0.0.0/8'),
    // Holds every request that was loaded, up to twenty million.
    page_search_wide_block: () => list('search=0.0.0.0/4'),
    page_search_every_ip: () => list('search=0.0.0.0/0'),
    page_search_letter: () => list('search=c'),
  };
  const arrangedPages = await timeCalls(repeat(rounds / 10), each(arranged, within(targets.list)));
  // Counting every event of an app takes a hundred times as long as a page, so it is done less often.
  const againstCount = await timeCalls(repeat(rounds / 20), {
    page_first: [() => list(''), against('count', 0.3, { as: 'p50_against_count' })],
    count: [() => events.countOf(busiestApp)],
  });
  return [...pages, ...againstCount, ...arrangedPages];
}

/** The ten thousandth page against the first, where an app has as many: from about three million events on. */
export async function measureFarPage({ admin, busiestApp, targets, repeat }: BenchContext): Promise<Measure[]> {
  const list = (page: number) => admin.get(`apps/${busiestApp}/postbacks?limit=20&page=${page}`);
  const { total } = (await list(1)).body.pagination;
  if ((total ?? 0) < farPage * 20) return [];
  return timeCalls(repeat(rounds), {
    first: [() => list(1)],
    [`page_${farPage}`]: [() => list(farPage), against('first', targets.pageRatio)],
  });
}

/** Histograms of one app and of all, and the values an app may be filtered by. */
export async function measureHistograms({ admin, busiestApp, targets, repeat }: BenchContext): Promise<Measure[]> {
  const ofApp = (query: string) => admin.get(`apps/${busiestApp}/postbacks/histogram?${query}`);
  const ofAll = (query: string) => admin.get(`all-requests/histogram?${query}`);
  const calls = {
    histogram_day: () => ofApp(''),
    histogram_days_5: () => ofApp(`startDate=${instantAgo(4.9)}`),
    histogram_days_30: () => ofApp(`startDate=${instantAgo(29.9)}`),
    histogram_days_90: () => ofApp(`startDate=${instantAgo(90)}`),
    histogram_days_30_country: () => ofApp(`startDate=${instantAgo(29.9)}&geo=DE`),
    histogram_days_90_country: () => ofApp(`startDate=${instantAgo(90)}&geo=DE`),
    histogram_all_day: () => ofAll(''),
    histogram_all_days_5: () => ofAll(`startDate=${instantAgo(4.9)}`),
    histogram_all_days_30: () => ofAll(`startDate=${instantAgo(29.9)}`),
    histogram_all_days_90: () => ofAll(`startDate=${instantAgo(90)}`),
    filter_values: () => admin.get(`apps/${busiestApp}/postbacks/filters`),
  };
  return timeCalls(repeat(rounds / 5), each(calls, within(targets.list)));
}
