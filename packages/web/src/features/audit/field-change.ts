import { isSame } from '../../shared/form/conflict.ts';
import { diffLines, linesText, type DiffLine } from './line-diff.ts';

/** A changed field as readers compare it. */
export type FieldChange =
  /** Never shown: the trail stores only its name. */
  | { readonly kind: 'secret' }
  /** A list: what came and what went, and how much stayed. */
  | { readonly kind: 'list'; readonly added: readonly string[]; readonly removed: readonly string[]; readonly kept: number }
  /** A text of several lines, e.g. JSON: its differences by line. */
  | { readonly kind: 'lines'; readonly lines: readonly (DiffLine & { readonly place: number })[] }
  /** Anything else as text; null where there is nothing. */
  | { readonly kind: 'value'; readonly before: string | null; readonly after: string | null };

/** A value of the trail as text; null for nothing. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((part) => valueText(part) ?? '').join(', ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : JSON.stringify(value);
}

function isListOrNothing(value: unknown): value is readonly unknown[] | null | undefined {
  return Array.isArray(value) || value === null || value === undefined;
}

/** Display names of the values of a field, e.g. the name of an app in place of its id. */
export type NameOfValue = (field: string, value: unknown) => unknown;

/** How a field changed; a list against a list, or against nothing, is compared by its elements. */
export function fieldChange({ field, from, to }: { field: string; from: unknown; to: unknown }, nameOf: NameOfValue): FieldChange {
  if ((from ?? null) === null && (to ?? null) === null) return { kind: 'secret' };
  if (isListOrNothing(from) && isListOrNothing(to)) return listChange(from ?? [], to ?? [], (part) => partText(nameOf(field, part)));
  const [before, after] = [valueText(nameOf(field, from)), valueText(nameOf(field, to))];
  return linesChange(before, after) ?? { kind: 'value', before, after };
}

/** The differences by line of two texts, at least one of which has several lines; null for others, and if only spaces of JSON differ. */
function linesChange(before: string | null, after: string | null): FieldChange | null {
  if (before === null || after === null) return null;
  const [from, to] = [linesText(before), linesText(after)];
  if (from === to || !(from.includes('\n') || to.includes('\n'))) return null;
  return { kind: 'lines', lines: diffLines(from, to).map((line, place) => ({ ...line, place })) };
}

function listChange(from: readonly unknown[], to: readonly unknown[], textOf: (part: unknown) => string): FieldChange {
  const addedParts = to.filter((part) => !holds(from, part)).map(textOf);
  const removedParts = from.filter((part) => !holds(to, part)).map(textOf);
  return { kind: 'list', added: addedParts, removed: removedParts, kept: to.length - addedParts.length };
}

function holds(list: readonly unknown[], part: unknown): boolean {
  return list.some((other) => isSame(other, part));
}

function partText(part: unknown): string {
  return valueText(part) ?? 'empty';
}
