import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';

const haproxy = '/usr/sbin/haproxy';
const postgresFolders = '/usr/lib/postgresql/*/bin/postgres';

/** Aborts the run with one line if a package is missing. */
export default function requirePackages(): void {
  for (const [name, isInstalled] of [
    ['haproxy', existsSync(haproxy)],
    ['postgresql', globSync(postgresFolders).length > 0],
  ] as const) {
    if (!isInstalled) throw new Error(`The Debian package ${name} is missing (apt-get install ${name})`);
  }
}

/** Whether PostgreSQL is installed with its client programs. */
export const isPostgresInstalled = (): boolean => existsSync(postgresProgram('pg_dump'));

export const haproxyProgram = haproxy;

/** Path of a program of the newest installed PostgreSQL. */
export function postgresProgram(name: string): string {
  const newest =
    globSync(postgresFolders)
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      .at(-1) ?? '';
  return newest.replace(/postgres$/, name);
}

const idOf = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));

/** The account under which PostgreSQL runs, because it refuses root; for others none is needed. */
export function postgresAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOf('-u'), gid: idOf('-g') };
}
