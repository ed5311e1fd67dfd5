import { describe, expect, it } from 'vitest';
import { appModes, appStatuses, cloakModes, responseModes } from './apps.ts';
import { defaultOffset } from './server-time.ts';

describe('constants of the specification', () => {
  it.each([
    ['CONST-007', defaultOffset, '+00:00'],
    ['CONST-021', appModes, ['default', 'push_only', 'one_request_url']],
    ['CONST-022', responseModes, ['white', 'custom']],
    ['CONST-024', cloakModes, ['default', 'none', 'custom', 'magic_checker']],
    ['CONST-026', appStatuses, ['active', 'deleted', 'all']],
  ])('[%s] has the specified value', (_id, value, expected) => {
    expect(value).toEqual(expected);
  });
});
