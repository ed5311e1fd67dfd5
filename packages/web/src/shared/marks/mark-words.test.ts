import type { MarkEntry } from '@switchyard/contract/marks';
import { describe, expect, it } from 'vitest';
import { entryPath, entryText } from './mark-words.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const server = { id: 4, name: 'edge-1' };
const samples: Readonly<Record<string, Partial<MarkEntry>>> = {
  change: {},
  creation: { what: 'create', fields: ['Name'] },
  link: { what: 'link', name: 'lucky.example', fields: ['Server'] },
  many: { fields: ['Name', 'Bundle', 'Domain', 'Vertical', 'App mode', 'Cloak'] },
  server: { kind: 'server', name: 'edge-1', app: null, server, fields: ['Region'] },
  deletedServer: { kind: 'server', what: 'delete', name: 'edge-1', app: null, server, fields: [] },
  rule: { kind: 'rule', name: 'Silent apps', app: null, fields: ['Threshold'] },
  ban: { kind: 'ban', what: 'import', name: 'DROP', app: null, fields: [] },
  bulk: { kind: 'bulk', what: 'start', name: 'app.set', app: null, fields: [], run: 3 },
  foreignBulk: { kind: 'bulk', what: 'start', name: 'app.set', app: null, fields: [], run: 4, by: { id: 8, name: 'Adam' } },
  bulkOfBans: { kind: 'bulk', what: 'start', name: 'asn.ban', app: null, fields: [], run: 5 },
  begin: { kind: 'incident', what: 'begin', id: 5, name: 'Error share', by: null, fields: [] },
  end: { kind: 'incident', what: 'end', id: 5, name: 'Silent', app: null, server, by: null, fields: [] },
  start: { kind: 'start', what: 'start', name: '1.4.0', app: null, by: null, fields: [] },
  note: { kind: 'note', what: 'note', name: 'Campaign begins', fields: [] },
};
const entryOf = (name: string): MarkEntry => sampleEntry(samples[name]);

describe('words of marks', () => {
  it.each([
    ['change', 'App Lucky Harbor changed: Proxy cache, seconds'],
    ['creation', 'App Lucky Harbor created'],
    ['link', 'App lucky.example linked to a server'],
    ['many', 'App Lucky Harbor changed: Name, Bundle, Domain, Vertical and 2 more'],
    ['server', 'Server edge-1 changed: Region'],
    ['rule', 'Alert rule Silent apps changed: Threshold'],
    ['ban', 'Ban DROP imported'],
    ['bulk', 'Bulk change started: app set'],
    ['begin', 'Incident Error share of Lucky Harbor began'],
    ['end', 'Incident Silent of edge-1 ended'],
    ['start', 'Console started (version 1.4.0)'],
    ['note', 'Campaign begins'],
  ])('[MARK-021] names a %s', (name, text) => {
    expect(entryText(entryOf(name))).toBe(text);
  });

  it('[MARK-021] leads each to its history, incident or run, as far as the reader may open it', () => {
    const pathsWith = (...permissions: readonly string[]) => {
      const user = {
        id: 7,
        name: 'O',
        email: 'o@x.y',
        panel: 'user',
        hasAllApps: true,
        isSuperAdmin: false,
        roles: [],
        badges: [],
      } as const;
      const reader = { day: '2026-11-20', user: { ...user, roles: [], badges: [], permissions: [...permissions] } };
      return Object.fromEntries(Object.keys(samples).map((name) => [name, entryPath(entryOf(name), reader)]));
    };
    const history = '/apps/12/history?startDate=2026-11-20&endDate=2026-11-20';
    expect(pathsWith('manager_app_edit', 'manager_settings_server', 'manager_user_activity')).toEqual({
      change: history,
      creation: history,
      many: history,
      link: '/activity?near=901',
      server: '/servers/4/history?startDate=2026-11-20&endDate=2026-11-20',
      deletedServer: '/activity?near=901',
      rule: '/activity?near=901',
      ban: '/activity?near=901',
      bulk: '/apps?run=3',
      foreignBulk: '/activity?near=901',
      bulkOfBans: '/activity?near=901',
      begin: '/incidents/5',
      end: '/incidents/5',
      start: '/activity?near=901',
      note: null,
    });
    expect(pathsWith('manager_app_edit')).toMatchObject({
      change: history,
      link: '/apps/12/edit?startTabName=General',
      ban: null,
      start: null,
    });
    expect(pathsWith('manager_settings_asns')).toMatchObject({
      ban: null,
      bulk: '/apps?run=3',
      change: '/apps/12/edit?startTabName=General',
    });
  });
});
