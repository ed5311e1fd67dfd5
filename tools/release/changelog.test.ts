import { describe, expect, it } from 'vitest';
import { beginNextSection, dateChangelog, lastRelease, nextVersion, settingsIn, unnamedInUpgrade } from './changelog.ts';

const changelog = `# Changelog

## Unreleased

### Upgrading from 1.3.0

Back up.

## 1.3.0 (2026-11-24, commit 284766b5)

### Upgrading from 1.2.14
`;

describe('the changelog of a release', () => {
  it('[OPS-019] gets the version and the day, then the commit and the section of the next version', () => {
    const dated = dateChangelog(changelog, { version: '1.4.0', day: '2026-12-01' });
    expect(dated).toBe(changelog.replace('## Unreleased', '## 1.4.0 (2026-12-01)'));
    const text = beginNextSection(dated, { version: '1.4.0', commit: '0123456789abcdef0123456789abcdef01234567' });
    expect(text.match(/^##+ .*/gm)).toEqual([
      '## Unreleased',
      '### Upgrading from 1.4.0',
      '## 1.4.0 (2026-12-01, commit 01234567)',
      '### Upgrading from 1.3.0',
      '## 1.3.0 (2026-11-24, commit 284766b5)',
      '### Upgrading from 1.2.14',
    ]);
  });

  it('[OPS-019] stops a release whose upgrade is not described, or that was made before', () => {
    const date =
      (text: string, version = '1.4.0') =>
      () =>
        dateChangelog(text, { version, day: '2026-12-01' });
    expect(date(changelog.replace('from 1.3.0', 'from 1.2.0'))).toThrow('lacks the heading "Upgrading from 1.3.0"');
    expect(date(changelog, '1.3.0')).toThrow('1.3.0 is released already');
    expect(date(changelog.replace('## Unreleased', '## Next'))).toThrow('there is no section "Unreleased"');
    expect(() => beginNextSection(changelog, { version: '1.4.0', commit: '0' })).toThrow('there is no heading "1.4.0"');
  });

  it('[OPS-019] names each changed file of deploy/ and each new setting in the text of the upgrade', () => {
    const text = changelog.replace('### Upgrading from 1.3.0\n', '### Upgrading from 1.3.0\n\n`nginx.conf` and `NEW_SETTING`.\n');
    expect(lastRelease(text)).toBe('284766b5');
    expect(unnamedInUpgrade(text, ['nginx.conf', 'NEW_SETTING', 'haproxy.cfg', 'OTHER'])).toEqual(['haproxy.cfg', 'OTHER']);
    expect(settingsIn('const shape = {\n  PORT: port(),\n  A_2: z.string(),\n    DEEPER: 1,\n  lower: 2,\n};')).toEqual(
      new Set(['PORT', 'A_2']),
    );
  });

  it('[OPS-019] is followed by the next minor version', () => {
    expect(nextVersion('1.4.2')).toBe('1.5.0');
  });
});
