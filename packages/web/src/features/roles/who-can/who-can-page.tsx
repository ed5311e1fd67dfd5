import { permissionCatalogue } from '@switchyard/contract/permissions';
import { pageOf } from '@switchyard/contract/page-of';
import { type HolderRow, listHolders } from '@switchyard/contract/who-can';
import { useMemo } from 'react';
import { allApps, useMayPickApps } from '../../../shared/accounts/pick-sources.ts';
import { call } from '../../../shared/api/call.ts';
import { choiceFilter, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';
import { ListPage } from '../../../shared/listing/list.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { type OptionSource, usePickedNames } from '../../../shared/ui/option-source.ts';
import { whoCanColumns } from './who-can-columns.tsx';
import { whoCanQuery, type WhoCanQuery } from './who-can-query.ts';

export { ComparePage } from './compare-page.tsx';

const name = 'who-can';
const noIds: readonly string[] = [];
const rowId = ({ key }: HolderRow): string => key;

async function loadPage(query: WhoCanQuery, signal: AbortSignal) {
  const { permission, appId } = query;
  if (permission === undefined && appId === undefined) return { ...pageOf<HolderRow>([], query), isPartial: false };
  const { data, pagination } = await call(listHolders, {
    query: { ...query, appId: appId === undefined ? undefined : Number(appId) },
    signal,
  });
  return { data: data.rows, pagination, isPartial: data.is_partial };
}

/** The accounts, tokens and service accounts that hold a permission, see an app, or both. */
export function WhoCanPage() {
  const opensAccounts = useHoldsAny('manager_user_edit');
  const apps = useMayPickApps() ? allApps : null;
  const list = useList({ name, schema: whoCanQuery, rowId, load: loadPage });
  const appName = usePickedNames(apps, list.query.appId === undefined ? noIds : [list.query.appId]);
  const columns = useMemo(() => whoCanColumns({ opensAccounts }), [opensAccounts]);
  const isAsked = list.query.permission !== undefined || list.query.appId !== undefined;
  return (
    <ListPage
      list={list}
      noun="accounts and tokens"
      columns={columns}
      filters={filtersOf(apps, appName)}
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
function filtersOf(apps: OptionSource | null, appName: (id: string) => string): Filters<WhoCanQuery> {
  const app = choiceFilter({ label: 'App', width: 220, options: apps ?? [], nameOf: appName });
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
