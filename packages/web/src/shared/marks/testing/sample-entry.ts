import type { MarkEntry } from '@switchyard/contract/marks';

/** A change of an app, with other fields where they are given. */
export function sampleEntry(fields: Partial<MarkEntry> = {}): MarkEntry {
  return {
    kind: 'app',
    id: 901,
    at: '2026-11-20 10:20:00',
    what: 'update',
    name: 'Lucky Harbor',
    by: { id: 7, name: 'Olga Petrova' },
    app: { id: 12, name: 'Lucky Harbor' },
    server: null,
    run: null,
    fields: ['Proxy cache, seconds'],
    is_deletable: false,
    ...fields,
  };
}
