import { isStorableText } from './text-fields.ts';

/** Sums of the conversions of a kind, as `NAME:KIND`. */
export const kindSums = ['conversions_of', 'conversions_valid_of', 'payout_of', 'payout_valid_of'] as const;
export type KindSum = `${(typeof kindSums)[number]}:${string}`;

/** Ratios of the conversions of a kind, as `NAME:KIND`. */
export const kindRatios = {
  create_to: { part: 'conversions_valid_of', whole: 'create', times: 1 },
  payout_per_create_of: { part: 'payout_valid_of', whole: 'create', times: 1 },
  payout_per_thousand_of: { part: 'payout_valid_of', whole: 'requests', times: 1_000 },
} as const;
type KindRatioName = keyof typeof kindRatios;
export type KindRatio = `${KindRatioName}:${string}`;

/** Measures of the conversions of a kind. */
export const kindMeasures = [...kindSums, 'create_to', 'payout_per_create_of', 'payout_per_thousand_of'] as const satisfies readonly (
  | (typeof kindSums)[number]
  | KindRatioName
)[];
type KindMeasureName = (typeof kindMeasures)[number];
export type KindMeasure = `${KindMeasureName}:${string}`;

/** Writes a measure of a kind. Characters that separate measures and parts of ratios are encoded, and outer spaces. */
export function writeKindMeasure<Name extends KindMeasureName>(name: Name, kind: string): `${Name}:${string}` {
  return `${name}:${kind.replaceAll(/^\s|\s$|[%,/*]/gu, (character) => (character === '*' ? '%2A' : encodeURIComponent(character)))}`;
}

/** Splits a measure as `writeKindMeasure` writes it; null for other measures. */
export function readKindMeasure(measure: string): { measure: KindMeasure; name: KindMeasureName; kind: string } | null {
  const name = kindMeasures.find((one) => measure.startsWith(`${one}:`));
  if (name === undefined) return null;
  try {
    const kind = decodeURIComponent(measure.slice(name.length + 1));
    const own = writeKindMeasure(name, kind);
    return kind !== '' && isStorableText(kind) && own === measure ? { measure: own, name, kind } : null;
  } catch {
    return null;
  }
}
