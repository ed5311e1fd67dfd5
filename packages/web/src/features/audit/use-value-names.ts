import type { AuditRow } from '@switchyard/contract/audit-trail';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { listPickApps, listPickBuyers } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import type { NameOfValue } from './field-change.ts';

const appFields = ['appIds', 'app_ids', 'app_id'];
const buyerFields = ['userIds', 'buyer_id'];
const permissionLabels = new Map<unknown, string>(permissionCatalogue.map(({ id, label }) => [id, label]));
/** Either permission lets an account pick apps and buyers by name. */
const naming: ReadonlySet<string> = new Set(['manager_app_edit', 'manager_user_edit']);
const dateText = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const options = (signal: AbortSignal) => ({ signal, isSilent: true, showsFailureItself: (status: number | null) => status !== 401 });

/**
 * Gives the names of apps, buyers and permissions that stand in changes by their ids. Names come from the lists that the
 * reader may pick from, so an app outside the reader's scope stays without one; so does one that is archived or deleted.
 */
export function useValueNames(changes: AuditRow['changes']): NameOfValue {
  const held = useSessionUser()?.permissions ?? [];
  const mayName = held.some((permission) => naming.has(permission));
  const has = (names: readonly string[]): boolean => changes.some(({ field }) => names.includes(field));
  const { data: apps } = useQuery({
    queryKey: ['activity-app-names'],
    queryFn: ({ signal }) => call(listPickApps, options(signal)),
    enabled: mayName && has(appFields),
  });
  const { data: buyers } = useQuery({
    queryKey: ['activity-buyer-names'],
    queryFn: ({ signal }) => call(listPickBuyers, options(signal)),
    enabled: mayName && has(buyerFields),
  });
  const displayDate = useDisplayDate();
  return useMemo(() => {
    const appNames = new Map<unknown, string>(apps?.data.map(({ id, name }) => [id, name]));
    const buyerNames = new Map<unknown, string>(buyers?.data.map(({ id, name }) => [id, name]));
    return (field, value) => {
      if (typeof value === 'string') return dateText.test(value) ? displayDate(value) : value;
      if (typeof value !== 'number') return value;
      if (appFields.includes(field)) return appNames.get(value) ?? `App #${value}`;
      if (buyerFields.includes(field)) return buyerNames.get(value) ?? `Buyer #${value}`;
      return field === 'permission_ids' ? (permissionLabels.get(value) ?? value) : value;
    };
  }, [apps, buyers, displayDate]);
}
