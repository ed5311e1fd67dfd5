import { describe, expect, it } from 'vitest';
import { bodyTone, botLabel, eventTabTypes, requestTypes } from './requests.ts';

describe('requests', () => {
  it('[REQ-034] knows the seven types of requests', () => {
    expect([...requestTypes]).toEqual(['create', 'receive', 'token', 'track', 'proxy', 'static', 'error']);
  });

  it('[EVT-004] offers five types on the Event tab', () => {
    expect([...eventTabTypes]).toEqual(['create', 'receive', 'token', 'track', 'error']);
  });

  it.each([
    ['WID-073', 'CF', 'success', false],
    ['WID-074', 'BOT', 'warning', true],
    ['WID-075', 'L1', 'warning', true],
    ['WID-075', 'L2', 'warning', true],
    ['WID-076', 'HLL', 'danger', true],
    ['WID-076', 'VLA', 'danger', true],
    ['WID-077', 'ORG', 'danger', true],
  ])('[%s] gives the tag %s its colour and decides whether it blocks', (_id, tag, tone, blocks) => {
    expect(botLabel(tag)).toMatchObject({ tone, blocks });
  });

  it('[WID-078] describes an unknown label as Неизвестно and counts it as a bot', () => {
    expect(botLabel('NEW')).toEqual({ description: 'Неизвестно', tone: 'default', blocks: true });
    expect(botLabel('constructor').description).toBe('Неизвестно');
  });

  it('[REQ-021, EVT-033, EVT-034, EVT-035, EVT-036] colours the show button by type and error', () => {
    expect(bodyTone({ type: 'static', error: { exception_type: 'Error' } })).toBe('default');
    expect(bodyTone({ type: 'proxy', error: null })).toBe('default');
    expect(bodyTone({ type: 'create', error: { exception_type: 'Notice' } })).toBe('warning');
    expect(bodyTone({ type: 'create', error: { exception_type: 'TypeError' } })).toBe('danger');
    expect(bodyTone({ type: 'create', error: null })).toBe('success');
  });
});
