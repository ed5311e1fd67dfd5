import { listAudit, type AuditChange } from '@switchyard/contract/audit';
import { displayDay } from '@switchyard/contract/dates';
import { maximumLimit } from '@switchyard/contract/limits';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { listPickServers } from '@switchyard/contract/pick-lists';
import { ruleFiltersInWords } from '@switchyard/contract/rule-filters';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allApps, allBuyers } from '../../shared/accounts/pick-sources.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { displayFilterDay } from '../../shared/time/filter-day.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { useNamedRows } from '../../shared/ui/option-source.ts';
import type { NameOfValue } from './field-change.ts';

const appFields = ['appIds', 'app_ids', 'appId', 'app_id'];
const buyerFields = ['userIds', 'buyer_id'];
const serverFields = ['serverId'];
/** The fields that hold ids, by what the ids belong to. */
const idFields = { app: appFields, buyer: buyerFields, server: serverFields } as const;
type Kind = keyof typeof idFields;
const kinds = ['app', 'buyer', 'server'] as const satisfies readonly Kind[];
const kindNames: Readonly<Record<Kind, string>> = { app: 'App', buyer: 'Buyer', server: 'Server' };
const permissionLabels = new Map<unknown, string>(permissionCatalogue.map(({ id, label }) => [id, label]));
/** Either permission lets an account pick apps and buyers by name. */
const naming: ReadonlySet<string> = new Set(['manager_app_edit', 'manager_user_edit']);
/** Either permission lets an account pick servers by name. */
const namingServers: ReadonlySet<string> = new Set(['manager_app_edit', 'manager_settings_server']);
const dateText = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{3}Z)?)?$/;
/** From which day a role needs a second factor, after the role's label. */
const roleDay = /(?<=: )\d{4}-\d{2}-\d{2}$/;
const options = (signal: AbortSignal) => ({ signal, ...inBackground });

/**
 * Returns the names of apps, buyers, servers and permissions, which changes contain by id. Names come from the lists that the
 * reader may pick from. Archived apps and deleted buyers and servers are in none of them: the entries about their end name them,
 * as far as the reader sees these entries. Others stay without a name.
 */
export function useValueNames(changes: readonly AuditChange[]): NameOfValue {
  const permissions = useSessionUser()?.permissions ?? [];
  const mayName = permissions.some((permission) => naming.has(permission));
  const mayNameServers = permissions.some((permission) => namingServers.has(permission));
  const has = (kind: Kind): boolean => changes.some(({ field }) => idFields[kind].includes(field));
  const apps = useNamedRows(mayName ? allApps : null, idsIn(changes, appFields).map(String));
  const buyers = useNamedRows(mayName ? allBuyers : null, idsIn(changes, buyerFields).map(String));
  const servers = useQuery({
    queryKey: ['activity-server-names'],
    queryFn: ({ signal }) => call(listPickServers, options(signal)),
    enabled: mayNameServers && has('server'),
  });
  const names = useMemo(
    () => ({ app: namesOf([...apps.rows.values()]), buyer: namesOf([...buyers.rows.values()]), server: namesOf(servers.data?.data) }),
    [apps.rows, buyers.rows, servers.data],
  );
  const isLoading = apps.isLoading || buyers.isLoading || servers.isLoading;
  const { data: endedSessions } = useQuery({
    queryKey: ['activity-ended-names'],
    queryFn: ({ signal }) => call(listAudit, { query: endings, ...options(signal) }),
    staleTime: endingsFreshFor,
    enabled:
      permissions.includes('manager_user_activity') &&
      !isLoading &&
      kinds.some((kind) => idsIn(changes, idFields[kind]).some((id) => !names[kind].has(id))),
  });
  const offset = useServerOffset();
  return useMemo(() => {
    const endedNames = new Map<string, string | null>(
      endedSessions?.data.toReversed().map(({ entity, entity_id: id, entity_label: label }) => [`${entity} ${id ?? ''}`, label]),
    );
    return (field, value) => {
      if (typeof value === 'string') {
        if (field === 'request_filter') return ruleFiltersInWords(value) || 'All';
        if (field === 'roles_from') return value.replace(roleDay, displayDay);
        return dateText.test(value) ? displayFilterDay(value, offset) : value;
      }
      if (typeof value !== 'number') return value;
      const kind = kinds.find((name) => idFields[name].includes(field));
      if (kind !== undefined) return names[kind].get(value) ?? endedNames.get(`${kind} ${value}`) ?? `${kindNames[kind]} #${value}`;
      return field === 'permission_ids' ? (permissionLabels.get(value) ?? value) : value;
    };
  }, [names, endedSessions, offset]);
}

/** Milliseconds for which loaded entries are reused for other changes. */
const endingsFreshFor = 60_000;

/** The newest entries about the end of what changes name by id. */
const endings = { entity: [...kinds], action: ['archive' as const, 'delete' as const], limit: maximumLimit };

function namesOf(rows: readonly { id: number; name: string }[] = []): ReadonlyMap<number, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The ids that changes of these fields add or remove; those that stay are counted, not named. */
function idsIn(changes: readonly AuditChange[], fields: readonly string[]): number[] {
  return changes
    .filter(({ field }) => fields.includes(field))
    .flatMap(({ from, to }) => {
      const [before, after] = [new Set<unknown>([from].flat()), new Set<unknown>([to].flat())];
      return [...before, ...after].filter((id) => before.has(id) !== after.has(id));
    })
    .filter((id) => typeof id === 'number');
}
