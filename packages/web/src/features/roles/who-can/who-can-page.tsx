import { permissionCatalogue } from '@switchyard/contract/permissions';
import { listPickApps, type PickedApp } from '@switchyard/contract/pick-lists';
import { whoCan, type WhoCanAnswer } from '@switchyard/contract/who-can';
import { useMemo } from 'react';
import { usePickApps } from '../../../shared/accounts/use-pick-apps.ts';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { choiceFilter, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { ListPage } from '../../../shared/listing/list.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { arrangeHolders, holderRows, type HolderRow } from './holders.ts';
import { whoCanColumns } from './who-can-columns.tsx';
import { whoCanQuery, type WhoCanQuery } from './who-can-query.ts';

export { ComparePage } from './compare-page.tsx';

const name = 'who-can';
const rowId = ({ key }: HolderRow): string => key;

/** Milliseconds for which a loaded answer serves other pages and filters. */
const freshFor = 15_000;

const nobody: WhoCanAnswer = { accounts: [], tokens: [], roles: [], is_partial: false };

async function loadPage(query: WhoCanQuery) {
  const { permission, appId } = query;
  const answer = permission === undefined && appId === undefined ? nobody : await loadAnswer({ permission, appId });
  return { ...arrangeHolders(holderRows(answer), query), isPartial: answer.is_partial };
}

async function loadAnswer({ permission, appId }: Pick<WhoCanQuery, 'permission' | 'appId'>): Promise<WhoCanAnswer> {
  return queryClient.fetchQuery({
    queryKey: [...listKey(name), 'answer', permission, appId],
    queryFn: async ({ signal }) => {
      const query = { permission, appId: appId === undefined ? undefined : Number(appId) };
      return (await call(whoCan, { query, signal })).data;
    },
    staleTime: freshFor,
  });
}

/** The accounts, tokens and service accounts that hold a permission, see an app, or both. */
export function WhoCanPage() {
  const opensAccounts = useHoldsAny('manager_user_edit');
  const mayListApps = useHoldsAny(...listPickApps.access.anyOf);
  const apps = usePickApps({ isEnabled: mayListApps });
  const list = useList({ name, schema: whoCanQuery, rowId, load: loadPage });
  const columns = useMemo(() => whoCanColumns({ opensAccounts }), [opensAccounts]);
  const isAsked = list.query.permission !== undefined || list.query.appId !== undefined;
  return (
    <ListPage
      list={list}
      noun="accounts and tokens"
      columns={columns}
      filters={filtersOf({
        apps: mayListApps ? (apps.data?.data ?? []) : null,
        onRetryApps: apps.error === null ? undefined : () => void apps.refetch(),
      })}
      above={isAsked && list.more?.isPartial === true ? <p className="note">{partialText}</p> : undefined}
      empty={{
        title: 'Who can …?',
        text: 'Choose a permission, an app or both, then apply the filter. The list shows who can, and by which role.',
      }}
    />
  );
}

const partialText = 'You see the accounts that share an app with you, and tokens that work within your apps.';

const permissionOptions = permissionCatalogue.map(({ label, description }) => ({ value: label, name: `${description} (${label})` }));

/** Permission, app, search, kind and state; `apps` is null if the reader may not list them. */
function filtersOf({
  apps,
  onRetryApps,
}: {
  apps: readonly PickedApp[] | null;
  onRetryApps: (() => void) | undefined;
}): Filters<WhoCanQuery> {
  const app = choiceFilter({
    label: 'App',
    width: 220,
    options: (apps ?? []).map(({ id, label }) => ({ value: String(id), name: label })),
    onRetry: onRetryApps,
  });
  return {
    permission: choiceFilter({ label: 'Permission', width: 230, options: permissionOptions }),
    appId: apps === null ? { chips: app.chips } : app,
    search: searchFilter({ placeholder: 'Account, token or role' }),
    kind: choiceFilter({
      label: 'Kind',
      width: 160,
      options: [
        { value: 'account', name: 'Account' },
        { value: 'personal', name: 'API token' },
        { value: 'service', name: 'Service account' },
      ],
    }),
    now: choiceFilter({
      label: 'Now',
      width: 140,
      options: [
        { value: 'can', name: 'Can' },
        { value: 'cannot', name: 'Cannot now' },
      ],
    }),
  };
}
