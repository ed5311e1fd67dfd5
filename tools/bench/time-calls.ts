import { limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';
import { type Durations, sampleInTurn } from './sample.ts';

type DurationsOf = (name: string) => Durations;

/** Judges durations: gives the figures of a call from its name, its durations and those of the other calls. */
type Verdict = (name: string, own: Durations, durationsOf: DurationsOf) => Measure;

/** A call and its verdicts; without a verdict it is a baseline, or work between two calls. */
export type TimedCall = readonly [call: (round: number) => Promise<unknown>, ...verdicts: readonly Verdict[]];

type Share = keyof Durations;

/** At most this number of milliseconds. */
export function within(limit: number, share: Share = 'p50'): Verdict {
  return (name, own) => limitMeasure(`${name}_${share}`, own[share], 'ms', limit);
}

/** At most this many times as long as another call of the same run; without `atMost` only shown. `as` ends the figure's name instead of `share`. */
export function against(baseline: string, atMost?: number, { share = 'p50', as = share }: { share?: Share; as?: string } = {}): Verdict {
  return (name, own, durationsOf) => ratioMeasure(`${name}_${as}`, own[share], 'ms', { baseline: durationsOf(baseline)[share], atMost });
}

/** Only shown. */
export function shown(share: Share = 'p50'): Verdict {
  return (name, own) => shownMeasure(`${name}_${share}`, own[share], 'ms');
}

/** Verdicts that every call gets. */
export function each(calls: Readonly<Record<string, TimedCall[0]>>, ...verdicts: readonly Verdict[]): Record<string, TimedCall> {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, [call, ...verdicts]]));
}

/** Makes the calls in turn, this number of rounds, and gives their figures in the order of the rows. */
export async function timeCalls(rounds: number, rows: Readonly<Record<string, TimedCall>>): Promise<Measure[]> {
  const samples = await sampleInTurn(rounds, Object.fromEntries(Object.entries(rows).map(([name, [call]]) => [name, call])));
  const durationsOf: DurationsOf = (name) => {
    const durations = samples[name];
    if (durations === undefined) throw new Error(`${name} was not measured`);
    return durations;
  };
  return Object.entries(rows).flatMap(([name, [, ...verdicts]]) =>
    verdicts.map((verdict) => verdict(name, durationsOf(name), durationsOf)),
  );
}

/** The calendar day this number of days ago, as filters take it. */
export function dayAgo(days: number): string {
  return instantAgo(days).slice(0, 10);
}

/** The instant this number of days ago, as filters take it. */
export function instantAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
