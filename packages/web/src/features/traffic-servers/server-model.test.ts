import { describe, expect, it } from 'vitest';
import { changedLabels } from '../../shared/form/conflict.ts';
import { dependantLines } from './remove-server.ts';
import { serverForm, toBody, valuesOf, type ServerValues } from './server-model.ts';

const loadedValues = valuesOf({ name: 'edge-fra-1', url: 'https://edge.example', region: null, ip: '203.0.113.20' });
const changesOf = (values: ServerValues): string[] => changedLabels(serverForm.model.fieldsOf([]), loadedValues, values);
const link = (id: number, deletedAt: string | null = null) => ({
  id,
  status: 'ok' as const,
  app: { id, name: `App ${id}`, domain: `a${id}.example`, deleted_at: deletedAt },
});

describe('form of a server', () => {
  it('[SRV-019, SRV-020] is complete with a name and a url', () => {
    expect(serverForm.model.missingOf(loadedValues, undefined)).toEqual([]);
    expect(serverForm.model.missingOf({ ...loadedValues, name: ' ' }, undefined)).toEqual(['Name']);
    expect(serverForm.model.missingOf({ ...loadedValues, url: '' }, undefined)).toEqual(['Url']);
  });

  it('[SRV-021, SRV-022] differs by any field, and by a typed secret alone', () => {
    expect(changesOf({ ...loadedValues, name: ' edge-fra-1 ' })).toEqual([]);
    const typedValues = { name: 'x', url: 'x', token: 'x', region: 'x', mainHash: 'x', hash: 'x', ip: 'x' };
    expect(changesOf(typedValues)).toEqual(['Name', 'Url', 'Token', 'Region', 'Main hash', 'Hash', 'IP']);
    for (const field of ['token', 'mainHash', 'hash']) expect(changesOf({ ...loadedValues, [field]: 'x' })).toHaveLength(1);
  });

  it('[SRV-023] sends secrets only when they are filled', () => {
    const plain = { name: 'edge-fra-1', url: 'https://edge.example', region: null, ip: '203.0.113.20' };
    expect(toBody(loadedValues)).toEqual(plain);
    expect(toBody({ ...loadedValues, token: 't', mainHash: 'm', hash: 'h', ip: '' })).toEqual({
      ...plain,
      ip: null,
      token: 't',
      mainHash: 'm',
      hash: 'h',
    });
  });

  it('[AMB-197] lists the apps that depend on a server', () => {
    expect(dependantLines({ links: [], others: 0 })).toEqual([]);
    expect(dependantLines({ links: [link(1), link(2, '2026-01-01 00:00:00')], others: 3 })).toEqual([
      'These apps lose their link to it:',
      'App 1 (a1.example)',
      'App 2 (a2.example), archived',
      'and 3 more',
    ]);
    expect(dependantLines({ links: [], others: 2 })).toEqual(['These apps lose their link to it:', '2 more']);
    expect(dependantLines({ links: Array.from({ length: 10 }, (_, at) => link(at)), others: 0 }).at(-1)).toBe('and 2 more');
  });
});
