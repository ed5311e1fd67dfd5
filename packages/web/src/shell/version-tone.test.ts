import { expect, it } from 'vitest';
import { versionTone } from './version-tone.ts';

it('[SHELL-012, SHELL-013, SHELL-014, SHELL-015, CONST-028] colours the version by its kind', () => {
  expect(versionTone('1.4.0-dev')).toBe('danger');
  expect(versionTone('1.4.0-alpha.2')).toBe('warning');
  expect(versionTone('1.4.0-beta')).toBe('success');
  expect(versionTone('1.4.0')).toBe('neutral');
});
