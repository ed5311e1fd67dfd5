import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, ratioMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 100;
const farPage = 10_000;

/** Numbered pages of one app with their exact totals: the first, those in the middle and at the end, sorted and filtered. */
export async function measurePages({ admin, events, busiestApp, appId, targets, repeat }: BenchContext): Promise<Measure[]> {
  const list = (query: string, id = busiestApp) => admin.get(`apps/${id}/postbacks?${query}`);
  const { total } = (await list('')).body.pagination;
  const last = Math.max(1, Math.floor((total ?? 0) / 50));
  const middle = Math.max(1, Math.floor(last / 2));
  const samples = await sampleInTurn(repeat(rounds), {
    first: () => list(''),
    last: () => list(`page=${last}`),
    middle: () => list(`page=${middle}`),
    raw: () => events.newestOf(busiestApp),
    ofOneApp: () => list('', appId),
  });
  const sortedDurations = await sampleInTurn(repeat(rounds / 10), {
    id: () => list('orderBy=id'),
    id_middle: () => list(`orderBy=id&page=${middle}`),
    type: () => list('orderBy=type'),
    type_middle: () => list(`orderBy=type&page=${middle}`),
    filter_type: () => list('type=create'),
    filter_error: () => list('type=error'),
    filter_country: () => list('geo=DE,US'),
    filter_country_last: () => list(`geo=DE,US&page=${Math.max(1, Math.floor(last / 5))}`),
    filter_stream: () => list(`streamUid=st_${busiestApp}_1`),
    filter_rare: () => list(`type=error&geo=IS,NZ&streamUid=st_${busiestApp}_1`),
    part_of_days: () => list(`startDate=${at(60.3)}&endDate=${at(0.2)}`),
    search_ip: () => list('search=1.2.3.4'),
    search_block: () => list('search=1.0.0.0/8'),
    // Holds every request that was loaded, up to twenty million.
    search_wide_block: () => list('search=0.0.0.0/4'),
    search_every_ip: () => list('search=0.0.0.0/0'),
    search_letter: () => list('search=c'),
  });
  const direct = await sampleInTurn(repeat(rounds / 20), { count: () => events.countOf(busiestApp) });
  return [
    ratioMeasure('page_first_p50', samples.first.p50, 'ms', { baseline: samples.raw.p50, atMost: 3 }),
    ratioMeasure('page_first_middling_app_p50', samples.ofOneApp.p50, 'ms', { baseline: samples.raw.p50, atMost: 3 }),
    ratioMeasure('page_middle_p50', samples.middle.p50, 'ms', { baseline: samples.first.p50, atMost: targets.pageRatio }),
    ratioMeasure('page_last_p50', samples.last.p50, 'ms', { baseline: samples.first.p50, atMost: targets.pageRatio }),
    ratioMeasure('page_first_p50_against_count', samples.first.p50, 'ms', { baseline: direct.count.p50, atMost: 0.3 }),
    ...Object.entries(sortedDurations).map(([name, durations]) => limitMeasure(`page_${name}_p50`, durations.p50, 'ms', targets.list)),
  ];
}

/** The ten thousandth page against the first, where an app has as many: from about three million events on. */
export async function measureFarPage({ admin, busiestApp, targets, repeat }: BenchContext): Promise<Measure[]> {
  const list = (page: number) => admin.get(`apps/${busiestApp}/postbacks?limit=20&page=${page}`);
  const { total } = (await list(1)).body.pagination;
  if ((total ?? 0) < farPage * 20) return [];
  const { first, far } = await sampleInTurn(repeat(rounds), { first: () => list(1), far: () => list(farPage) });
  return [ratioMeasure(`page_${farPage}_p50`, far.p50, 'ms', { baseline: first.p50, atMost: targets.pageRatio })];
}

/** Histograms of one app and of all, and the values an app may be filtered by. */
export async function measureHistograms({ admin, busiestApp, targets, repeat }: BenchContext): Promise<Measure[]> {
  const ofApp = (query: string) => admin.get(`apps/${busiestApp}/postbacks/histogram?${query}`);
  const ofAll = (query: string) => admin.get(`all-requests/histogram?${query}`);
  const samples = await sampleInTurn(repeat(rounds / 5), {
    day: () => ofApp(''),
    days_5: () => ofApp(`startDate=${at(4.9)}`),
    days_30: () => ofApp(`startDate=${at(29.9)}`),
    days_90: () => ofApp(`startDate=${at(90)}`),
    days_30_country: () => ofApp(`startDate=${at(29.9)}&geo=DE`),
    days_90_country: () => ofApp(`startDate=${at(90)}&geo=DE`),
    all_day: () => ofAll(''),
    all_days_5: () => ofAll(`startDate=${at(4.9)}`),
    all_days_30: () => ofAll(`startDate=${at(29.9)}`),
    all_days_90: () => ofAll(`startDate=${at(90)}`),
    filters: () => admin.get(`apps/${busiestApp}/postbacks/filters`),
  });
  return Object.entries(samples).map(([name, durations]) =>
    limitMeasure(name === 'filters' ? 'filter_values_p50' : `histogram_${name}_p50`, durations.p50, 'ms', targets.list),
  );
}

/** The instant this number of days ago, as a filter takes it. */
function at(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
