import { findPickApps, findPickBuyers, type PickedApp, type PickedBuyer } from '@switchyard/contract/pick-lists';
import { call, inBackground } from '../api/call.ts';
import { listKey } from '../listing/list-key.ts';
import { useHoldsAny } from '../session/use-session.ts';
import type { OptionSource } from '../ui/option-source.ts';

/** A stored version of an account or an app: what it has changes with each. */
type Version = { id: number; version: number };

/** Apps that are not archived, by name; without those of an account if one is given. */
export function appSource(except?: Version): OptionSource<PickedApp> {
  return {
    key: [...listKey('apps'), 'picks'],
    variant: variantOf(except),
    load: async ({ search, ids }, signal) => {
      const query = { search, ids: ids?.map(Number), limit: ids?.length, exceptAccount: except?.id };
      const { data, pagination } = await call(findPickApps, { query, signal, ...inBackground });
      return { rows: data, total: pagination.total ?? data.length };
    },
    optionOf: ({ id, label }) => ({ value: String(id), name: label }),
  };
}

/** Buyers by name; without those of an app if one is given. */
export function buyerSource(except?: Version): OptionSource<PickedBuyer> {
  return {
    key: [...listKey('buyers'), 'picks'],
    variant: variantOf(except),
    load: async ({ search, ids }, signal) => {
      const query = { search, ids: ids?.map(Number), limit: ids?.length, exceptApp: except?.id };
      const { data, pagination } = await call(findPickBuyers, { query, signal, ...inBackground });
      return { rows: data, total: pagination.total ?? data.length };
    },
    optionOf: ({ id, name }) => ({ value: String(id), name }),
  };
}

const variantOf = (except: Version | undefined): string =>
  except === undefined ? 'all' : `except ${except.id}, version ${except.version}`;

/** All apps, and all buyers. */
export const allApps = appSource();
export const allBuyers = buyerSource();

/** Whether the reader may pick from the apps, and from the buyers. */
export const useMayPickApps = (): boolean => useHoldsAny(...findPickApps.access.anyOf);
export const useMayPickBuyers = (): boolean => useHoldsAny(...findPickBuyers.access.anyOf);
