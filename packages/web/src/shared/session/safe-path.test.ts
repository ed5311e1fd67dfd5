import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoginPage, isSafePath } from './safe-path.ts';

describe('saved redirect route', () => {
  it('[AUTH-022, AMB-007] accepts paths of the console with their query', () => {
    for (const path of ['/', '/apps', '/apps/12/edit?startTabName=Event', '/requests?search=a%2Fb&type=create']) {
      expect(isSafePath(path), path).toBe(true);
    }
  });

  it('[S30, AMB-007] rejects every other origin and the login pages', () => {
    const bad = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      'apps',
      '',
      '/\t/evil.example',
      '/\n/evil.example',
      '/a\\b',
      '/login',
      '/login/',
      '/login?x=1',
      '/oauth/google?code=1',
    ];
    for (const path of bad) expect(isSafePath(path), JSON.stringify(path)).toBe(false);
  });

  it('[S30] never accepts what a browser would resolve to another origin', () => {
    const pieces = fc.constantFrom('/', '\\', '.', 'a', '%2f', '\t', '\n', '@', ':', '//', 'evil.example', '?', '#');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const path = parts.join('');
        if (isSafePath(path)) expect(new URL(path, 'https://switchyard.example/login').origin).toBe('https://switchyard.example');
      }),
    );
  });

  it('[AMB-024] knows the two login pages', () => {
    expect(['/login', '/login/', '/oauth/google', '/', '/apps', '/loginx'].filter(isLoginPage)).toEqual([
      '/login',
      '/login/',
      '/oauth/google',
    ]);
  });
});
