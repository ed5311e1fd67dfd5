import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from './source-files.ts';

/**
 * Where the options of a select come from: `fixed` values, one `searched` on the server, one `passed` by its caller, or the path of a call
 * whose answer has all of them.
 */
type Source = string;
const ownSources: ReadonlySet<Source> = new Set(['fixed', 'searched', 'passed']);

/** Calls that load all options, with the most rows of a large customer. */
const wholeLists: Readonly<Record<string, string>> = {
  'alerts/rules/list': '1,000 rules, as many as there may be',
  'apps/conversions/status/list': 'a few states',
  'apps/conversions/status-conversion/list': 'a few kinds',
  'apps/{id}/history': 'the revisions of an entity that its page shows',
  'apps/{id}/postbacks/filters': 'countries and streams of one app',
  channels: 'some dozens of channels',
  reports: 'the 100 most frequent kinds of conversions of a month, of few',
  boards: '20 own boards and those that are shared, 10 KB',
  'roles/users/list': '300 roles',
  'servers/list': '1,000 servers, 60 KB',
  'users/list': '2,000 staff accounts, 130 KB',
};

/** The source of each select, in the order of the file. */
const selects: Readonly<Record<string, readonly Source[]>> = {
  'features/accounts/edit/staff-apps-tab.tsx': ['searched'],
  'features/accounts/form/bind-apps.tsx': ['searched'],
  'features/accounts/list/account-bulk-items.tsx': ['roles/users/list', 'searched', 'searched'],
  'features/accounts/list/accounts-list.tsx': ['fixed', 'roles/users/list', 'fixed'],
  'features/accounts/list/belongings-choice.tsx': ['searched'],
  'features/alerts/incident-filters.tsx': ['fixed', 'fixed', 'fixed', 'searched', 'alerts/rules/list', 'passed'],
  'features/alerts/request-filter-fields.tsx': ['passed'],
  'features/alerts/rule-form-pages.tsx': ['fixed', 'fixed', 'channels'],
  'features/alerts/rules-tab.tsx': ['fixed', 'fixed'],
  'features/alerts/scope-fields.tsx': ['fixed', 'searched'],
  'features/alerts/silence-dialog.tsx': ['fixed', 'fixed', 'alerts/rules/list', 'servers/list'],
  'features/api-tokens/every-account/account-tokens-page.tsx': ['fixed', 'fixed', 'fixed'],
  'features/apps/configurator/app-users-section.tsx': ['searched'],
  'features/apps/list/app-bulk-items.tsx': ['fixed', 'fixed', 'fixed', 'servers/list', 'searched'],
  'features/apps/list/apps-filters.tsx': ['fixed', 'fixed', 'fixed', 'fixed', 'searched', 'servers/list'],
  'features/asns/asns-page.tsx': ['fixed'],
  'features/audit/activity-filters.tsx': ['users/list', 'fixed', 'fixed', 'fixed'],
  'features/audit/history-page.tsx': ['fixed'],
  'features/audit/revision-panel.tsx': ['apps/{id}/history'],
  'features/channels/channel-messages.tsx': ['fixed'],
  'features/channels/users-of-channel.tsx': ['channels'],
  'features/dev-tools/query.tsx': ['searched'],
  'features/log-viewer/log-search-form.tsx': ['fixed'],
  'features/reports/dashboard/board-dialog.tsx': ['users/list'],
  'features/reports/dashboard/board-filters.tsx': ['fixed'],
  'features/reports/dashboard/tile-dialog.tsx': ['fixed', 'boards'],
  'features/reports/own-ratios.tsx': ['reports', 'reports'],
  'features/reports/report-measure.tsx': ['fixed'],
  'features/reports/report-filters.tsx': [
    ...(['fixed', 'fixed', 'reports', 'fixed', 'fixed', 'fixed', 'fixed'] as const),
    ...(['searched', 'fixed', 'searched', 'fixed', 'fixed', 'servers/list', 'reports', 'fixed'] as const),
  ],
  'features/roles/who-can/compare-page.tsx': ['searched', 'searched'],
  'features/roles/who-can/who-can-page.tsx': ['searched', 'fixed', 'fixed', 'fixed'],
  'features/schedules/schedule-form-pages.tsx': ['users/list', 'channels'],
  'features/subjects/subject-pages.tsx': ['fixed'],
  'shared/bulk/pick-form.tsx': ['passed'],
  'shared/entities/entity-fields.tsx': ['passed'],
  'shared/listing/filter-bar.tsx': ['fixed'],
  'shared/marks/note-dialog.tsx': ['fixed'],
  'shared/tokens/token-apps.tsx': ['searched'],
  'traffic/all-requests/all-requests-page.tsx': ['searched'],
  'traffic/conversions/conversion-tab.tsx': ['apps/conversions/status-conversion/list', 'apps/conversions/status/list'],
  'traffic/request-filters.tsx': ['fixed', 'fixed', 'apps/{id}/postbacks/filters', 'fixed'],
};

const folder = 'packages/web/src/';
const isDeclaration = /shared\/ui\/pick-list\.tsx$|shared\/listing\/(?:filter-fields|option-filter)\.tsx$|\.test\.tsx?$/;
const use = /(?<!function )(?:<(?:Dropdown|PickMany|PickForm)\b|\b(?:choiceFilter|manyFilter|optionFilter|idFilter)\()/g;

describe('selects of the console', () => {
  const files = readSourceFiles().filter(({ path }) => path.startsWith(folder) && !isDeclaration.test(path));
  const counts = files
    .map(({ path, text }) => [path.slice(folder.length), text.match(use)?.length ?? 0] as const)
    .filter(([, count]) => count > 0);

  it('[LARGE-003] are all listed here with their sources', () => {
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(Object.entries(selects).map(([path, { length }]) => [path, length])));
  });

  it('[LARGE-003] have all of their options or search for them: a call that gives a page of them has a search', () => {
    const calls = new Set(
      Object.values(selects)
        .flat()
        .filter((source) => !ownSources.has(source)),
    );
    expect([...calls].toSorted()).toEqual(Object.keys(wholeLists).toSorted());
    for (const path of calls) {
      const endpoint = allEndpoints.find((one) => one.method === 'GET' && one.path === path);
      // The page of a history is the list that its select compares.
      expect([path, endpoint?.answer.kind]).toEqual([path, path.endsWith('/history') ? 'cursor' : 'data']);
    }
    for (const [path, sources] of Object.entries(selects)) {
      const text = files.find((file) => file.path === folder + path)?.text ?? '';
      const isSearched = /pick-sources|option-source|newOwners/.test(text);
      expect([path, sources.includes('searched')]).toEqual([path, isSearched && !sources.every((source) => source === 'passed')]);
    }
  });
});
