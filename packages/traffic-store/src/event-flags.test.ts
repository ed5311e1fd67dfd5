import { describe, expect, it } from 'vitest';
import { flag, flagsOf } from './event-flags.ts';

const plain = { type: 'create', error: null, bot: '', postbacks_domain: 'pb.example', is_qa: false } as const;

describe('flags of a request', () => {
  it.each([
    ['nothing', {}, 0],
    ['a stored error', { error: { exception_type: 'Notice' } }, flag.error],
    ['the type error', { type: 'error' as const }, flag.error],
    ['a label that blocks', { bot: 'CF L1' }, flag.bot],
    ['a label nobody knows', { bot: 'NEW' }, flag.bot],
    ['CF alone', { bot: 'CF' }, 0],
    ['no postbacks domain', { postbacks_domain: '' }, flag.emptyPostbacksDomain],
    ['QA traffic', { is_qa: true }, flag.qa],
    ['everything at once', { type: 'error' as const, bot: 'BOT', postbacks_domain: '', is_qa: true }, 15],
  ])('[APPS-026] recognises %s', (_name, change, expected) => {
    expect(flagsOf({ ...plain, ...change })).toBe(expected);
  });
});
