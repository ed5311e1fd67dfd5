import type { AlertSeverity } from '@switchyard/contract/alerts';
import { expect, it } from 'vitest';
import { byGravity, titleOf, type MessageItem } from './message-to-send.ts';

const message = (severity: AlertSeverity, type: string, { rule = 'Server silent', server = 'edge' } = {}): MessageItem => ({
  uid: `${rule}-${server}`,
  type,
  severity,
  at: new Date('2026-11-20T10:00:00Z'),
  title: 'alone',
  lines: [],
  url: 'https://console.example',
  data: { rule: { id: 1, name: rule, kind: 'server_silent' }, app: null, server: { id: 1, name: server } },
});
const title = ([first, ...others]: MessageItem[]): string | undefined =>
  first && titleOf({ id: '1', at: first.at, items: [first, ...others] });

it('[CHAN-110] the title of several messages names the subjects of a rule, or counts by severity', () => {
  const fired = ['a', 'b', 'c', 'd', 'e'].map((server) => message('warning', 'incident.fired', { server }));
  const resolved = fired.map((one) => ({ ...one, type: 'incident.resolved' }));
  expect(title(fired.slice(0, 1))).toBe('alone');
  expect(title(fired.slice(0, 2))).toBe('WARNING · Server silent: a, b');
  expect(title(fired)).toBe('WARNING · Server silent: a, b, c and 2 more');
  expect(title(resolved)).toBe('Resolved · Server silent: a, b, c and 2 more');
  expect(title([...fired.slice(0, 2), ...resolved.slice(2)])).toBe('Server silent: 2 warning, 3 resolved');
  const late = resolved.map((one) => ({ ...one, data: { ...one.data, began_again: true } }));
  expect(title(late.slice(0, 2))).toBe('Began again since · Server silent: a, b');
  expect(title([...late.slice(0, 1), ...resolved.slice(1)])).toBe('Server silent: 1 began again since, 4 resolved');
  const other = message('critical', 'incident.fired', { rule: 'Disk' });
  expect(title([other, ...fired, { ...other, severity: 'warning', data: {} }])).toBe('1 critical, 6 warning');
});

it('[CHAN-111] several messages begin with the worst, and those of ends come last', () => {
  const items = [
    message('info', 'incident.fired'),
    message('critical', 'incident.resolved'),
    message('critical', 'incident.fired'),
    message('warning', 'x'),
  ];
  expect(byGravity(items).map(({ severity, type }) => [severity, type])).toEqual([
    ['critical', 'incident.fired'],
    ['warning', 'x'],
    ['info', 'incident.fired'],
    ['critical', 'incident.resolved'],
  ]);
});
