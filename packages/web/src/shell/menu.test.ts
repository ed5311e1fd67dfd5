import { IconApps, IconLogs } from '@tabler/icons-react';
import { describe, expect, it } from 'vitest';
import type { ConsoleRoute } from './console-routes.ts';
import { goTargetsFor, linksOf, menuFor } from './menu.ts';
import { routeTable } from './route-table.ts';

const page: ConsoleRoute['page'] = () => Promise.reject(new Error('not opened here'));
const group = { label: 'Logs', icon: IconLogs };

const routes: readonly ConsoleRoute[] = [
  { name: 'account', path: '/account', title: 'Account', permission: [], page },
  { name: 'apps', path: '/apps', title: 'Apps', permission: ['manager_app_edit'], menu: { label: 'Apps', icon: IconApps }, page },
  { name: 'logs', path: '/logs', title: 'Logs', permission: 'manager_dev_logs', menu: { label: 'All logs', icon: IconLogs, group }, page },
  {
    name: 'app-logs',
    path: '/app-logs',
    title: 'App logs',
    permission: 'manager_dev_logs',
    menu: { label: 'App logs', icon: IconLogs, group },
    page,
  },
  { name: 'hidden', path: '/hidden', title: 'Hidden', menu: { label: 'Hidden', icon: IconApps }, page },
];

const labels = (permissions: string[]): string[] => menuFor(routes, permissions).map((entry) => entry.label);

describe('sidebar menu', () => {
  it('[SHELL-034] shows the entries that the account may open', () => {
    expect(labels(['manager_app_edit'])).toEqual(['Apps']);
    expect(labels([])).toEqual([]);
  });

  it('[SHELL-031, SHELL-035] gathers a group under one entry and hides an empty one', () => {
    const menu = menuFor(routes, ['manager_dev_logs', 'manager_app_edit']);
    expect(menu.map((entry) => entry.label)).toEqual(['Apps', 'Logs']);
    expect(linksOf(menu).map((link) => link.label)).toEqual(['Apps', 'All logs', 'App logs']);
  });

  it('[AUTH-041] hides a route without a permission entry', () => {
    expect(labels(['manager_app_edit', 'manager_dev_logs'])).not.toContain('Hidden');
  });

  it('[SHELL-046] offers no entry for pages without a place in the menu', () => {
    expect(labels(['manager_app_edit'])).not.toContain('Account');
  });
});

describe('route table', () => {
  it('[KEY-005] gives each letter to one page that needs no id, and only to those who may open it', () => {
    const all = goTargetsFor(
      routeTable,
      routeTable.flatMap((route) => route.permission ?? []),
    );
    expect(new Set(all.map(({ letter }) => letter)).size).toBe(all.length);
    expect(all.filter(({ letter, href }) => !/^[a-z]$/.test(letter) || letter === 'g' || href.includes('$'))).toEqual([]);
    expect(all).toContainEqual({ letter: 'r', label: 'All Requests', href: '/requests' });
    expect(goTargetsFor(routeTable, []).map(({ letter }) => letter)).toEqual(['h', 'm']);
  });

  it('[SHELL-001, SHELL-033] names each route once, in the order of the menu', () => {
    const names = routeTable.map((route) => route.name);
    expect(new Set(names).size).toBe(names.length);
    const entries = menuFor(
      routeTable,
      routeTable.flatMap((route) => route.permission ?? []),
    );
    // Home, the pages of the specification in its order, and below them those that came later.
    const own = 'Apps, Servers, ASNs, Black IP, All Requests, Roles, Users, Logs, DevDoc';
    expect(entries.map(({ label }) => label).join(', ')).toBe(`Home, ${own}, Analyse, Access, System`);
    const linksIn = (name: string) => linksOf(entries.filter(({ label }) => label === name)).map(({ label }) => label);
    expect(linksIn('System')).toContain('Activity');
    expect(linksIn('Analyse')).toEqual(expect.arrayContaining(['Reports', 'Incidents']));
  });

  it('[AMB-029] calls the page of all requests Phone Requests', () => {
    expect(routeTable.find((route) => route.name === 'requests')).toMatchObject({
      title: 'Phone Requests',
      menu: { label: 'All Requests' },
    });
  });
});
