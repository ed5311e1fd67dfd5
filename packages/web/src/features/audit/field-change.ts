import { permissionCatalogue } from '@switchyard/contract/permissions';
import { isSame } from '../../shared/form/conflict/three-states.ts';

/** A changed field as readers compare it. */
export type FieldChange =
  /** Never shown: the trail names it without a value (S16). */
  | { readonly kind: 'secret' }
  /** A list: what came and what went, and how much stayed. */
  | { readonly kind: 'list'; readonly added: readonly string[]; readonly removed: readonly string[]; readonly kept: number }
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

const permissionLabels = new Map<unknown, string>(permissionCatalogue.map(({ id, label }) => [id, label]));

/** How a field changed; a list against a list, or against nothing, is compared by its elements. Permissions have names. */
export function fieldChange({ field, from, to }: { field: string; from: unknown; to: unknown }): FieldChange {
  if ((from ?? null) === null && (to ?? null) === null) return { kind: 'secret' };
  if (isListOrNothing(from) && isListOrNothing(to)) return listChange(named(field, from), named(field, to));
  return { kind: 'value', before: valueText(from), after: valueText(to) };
}

function named(field: string, list: readonly unknown[] | null | undefined): readonly unknown[] {
  if (field !== 'permission_ids') return list ?? [];
  return (list ?? []).map((id) => permissionLabels.get(id) ?? id);
}

function listChange(from: readonly unknown[], to: readonly unknown[]): FieldChange {
  const added = to.filter((part) => !holds(from, part)).map(partText);
  const removed = from.filter((part) => !holds(to, part)).map(partText);
  return { kind: 'list', added, removed, kept: to.length - added.length };
}

function holds(list: readonly unknown[], part: unknown): boolean {
  return list.some((other) => isSame(other, part));
}

function partText(part: unknown): string {
  return valueText(part) ?? 'empty';
}
