import { StartupError } from '@switchyard/embedded-postgres/startup-error';

const released = /^## (\d+\.\d+\.\d+) \(/m;

/** Gives the newest section of the changelog its version and day. Throws if it does not say how to upgrade from the version before it. */
export function dateChangelog(text: string, { version, day }: { version: string; day: string }): string {
  const [, before] = released.exec(text) ?? [];
  const newest = text.slice(text.indexOf('## Unreleased\n'), text.search(released));
  if (before === version) throw new StartupError(`CHANGELOG.md: ${version} is released already`);
  if (!text.includes('## Unreleased\n')) throw new StartupError('CHANGELOG.md: there is no section "Unreleased"');
  if (!newest.includes(`\n### Upgrading from ${before}\n`))
    throw new StartupError(`CHANGELOG.md: "Unreleased" lacks the heading "Upgrading from ${before}"`);
  return text.replace('## Unreleased\n', `## ${version} (${day})\n`);
}

/** The commit of the newest release, which the changelog names; null: none has one. */
export function lastRelease(text: string): string | null {
  return /^## \d+\.\d+\.\d+ \([^)]*commit ([0-9a-f]+)\)/m.exec(text)?.[1] ?? null;
}

/** Which of these the upgrade text of the newest section does not name: changed files of `deploy/`, and new settings. */
export function unnamedInUpgrade(text: string, changes: readonly string[]): string[] {
  const [, upgrade = ''] = /^### Upgrading from .*\n([^]*?)^#/m.exec(text) ?? [];
  const named = new Set(Array.from(upgrade.matchAll(/`([^`]+)`/g), ([, name]) => name));
  return changes.filter((change) => !named.has(change));
}

/** Names of settings in the text of `env.ts`. */
export function settingsIn(source: string): Set<string> {
  return new Set(Array.from(source.matchAll(/^ {2}([A-Z][A-Z\d_]+):/gm), ([, name = '']) => name));
}

/** Adds the commit of the release, because tags may not travel with a copy, and begins the section of the next version. */
export function beginNextSection(text: string, { version, commit }: { version: string; commit: string }): string {
  const [heading] = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm').exec(text) ?? [];
  if (heading === undefined) throw new StartupError(`CHANGELOG.md: there is no heading "${version}" with its day`);
  const next = `## Unreleased\n\n### Upgrading from ${version}\n\nFollow [upgrading](docs/operations.md#upgrade).\n\n`;
  return text.replace(heading, `${next}${heading.replace(/\)$/, `, commit ${commit.slice(0, 8)})`)}`);
}

/** The version in development after a release: the next minor one. */
export function nextVersion(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}
