import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, shownMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 60;
const words = ['cloud', 'telecom', 'hurricane', 'amazon.com', 'university', 'bank', 'hosting', 'no such name'];

/** Searches over the whole registry of autonomous systems. */
export async function measureAsns({ admin, raw, repeat }: BenchContext): Promise<Measure[]> {
  await registryLoaded(raw);
  const durations = await sampleInTurn(repeat(rounds), {
    text: (round) => admin.get(`octopus-app/asn?search=${encodeURIComponent(words[round % words.length] ?? '')}`),
    wide: () => admin.get('octopus-app/asn?search=net'),
    letter: () => admin.get('octopus-app/asn?search=a'),
    code: (round) => admin.get(`octopus-app/asn?search=AS${1 + ((round * 977) % 60_000)}`),
    ip: (round) => admin.get(`octopus-app/asn?search=${1 + ((round * 37) % 200)}.${(round * 91) % 256}.1.1`),
    first: () => admin.get('octopus-app/asn'),
  });
  return [
    limitMeasure('asn_search_text_p95', durations.text.p95, 'ms', 50),
    limitMeasure('asn_search_code_p95', durations.code.p95, 'ms', 50),
    limitMeasure('asn_search_ip_p95', durations.ip.p95, 'ms', 50),
    shownMeasure('asn_search_common_text_p95', durations.wide.p95, 'ms'),
    shownMeasure('asn_search_one_letter_p95', durations.letter.p95, 'ms'),
    shownMeasure('asn_first_page_p95', durations.first.p95, 'ms'),
  ];
}

/** The console loads the packaged registry beside its other work when it starts for the first time. */
export async function registryLoaded(raw: BenchContext['raw']): Promise<void> {
  for (let waits = 0; waits < 600; waits += 1) {
    const { rows } = await raw.query('select from registry_loads');
    if (rows.length > 0) return;
    await delay(200);
  }
  throw new Error('the registry of autonomous systems was not loaded');
}
