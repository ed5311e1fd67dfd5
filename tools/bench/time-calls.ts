import { failedMeasure, limitMeasure, type Measure, messageOf, ratioMeasure, shownMeasure } from './report.ts';
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

/**
 * Makes the calls in turn, this number of rounds, and gives their figures in the order of the rows. A call that fails is not made again: its
 * measures, and those that compare with it, are failed ones.
 */
export async function timeCalls(rounds: number, rows: Readonly<Record<string, TimedCall>>): Promise<Measure[]> {
  const failures = new Map<string, string>();
  const untilFailure =
    (name: string, call: TimedCall[0]): TimedCall[0] =>
    async (round) => {
      if (failures.has(name)) return;
      await call(round).catch((error: unknown) => failures.set(name, messageOf(error)));
    };
  const calls = Object.entries(rows).map(([name, [call]]) => [name, untilFailure(name, call)] as const);
  const samples = await sampleInTurn(rounds, Object.fromEntries(calls));
  const durationsOf: DurationsOf = (name) => {
    const durations = samples[name];
    if (durations === undefined) throw new Error(`${name} was not measured`);
    return durations;
  };
  return Object.entries(rows).flatMap(([name, [, ...verdicts]]) => {
    const failure = failures.get(name);
    if (verdicts.length === 0 && failure !== undefined) return [failedMeasure(name, failure)];
    return verdicts.map((verdict) => {
      let error = failure;
      const measure = verdict(name, durationsOf(name), (baseline) => {
        if (failures.has(baseline)) error ??= `${baseline} failed`;
        return durationsOf(baseline);
      });
      return error === undefined ? measure : failedMeasure(measure.name, error);
    });
  });
}

/** The calendar day this number of days ago, as filters take it. */
export function dayAgo(days: number): string {
  return instantAgo(days).slice(0, 10);
}

/** The instant this number of days ago, as filters take it. */
export function instantAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
