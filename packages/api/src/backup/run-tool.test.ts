import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDump, checkRestore } from './run-tool.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-programs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An environment with client programs of this version. */
function programs(version: number): Record<string, string> {
  for (const name of ['pg_dump', 'pg_restore'])
    writeFileSync(join(folder, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}.2 (Debian ${version}.2-1)'\n`, { mode: 0o755 });
  return { PATH: folder };
}

describe('client programs of PostgreSQL', () => {
  it.each([
    [15, 15],
    [16, 15],
    [17, 17],
    [18, 17],
  ])('[OPS-010] of version %i back up and restore PostgreSQL %i', async (version, server) => {
    expect(await checkDump(server, programs(version))).toBeNull();
    await checkRestore(server, programs(version));
  });

  it('[OPS-010] older than the server do not dump it', async () => {
    const problem = 'pg_dump: version 15 cannot dump PostgreSQL 18 (install the client programs of version 18, first in PATH)';
    await expect(checkDump(18, programs(15))).rejects.toThrow(problem);
    // An older dump is restored into a newer server.
    await checkRestore(18, programs(15));
  });

  it.each([15, 16])(
    '[OPS-010] from 17 on make dumps that PostgreSQL %i does not take, as it has no transaction_timeout',
    async (server) => {
      const remedy = `install the client programs of version ${server}, first in PATH`;
      const limitation = `pg_dump: version 18 makes dumps for PostgreSQL 17 and newer, not for PostgreSQL ${server} (${remedy})`;
      expect(await checkDump(server, programs(18))).toBe(limitation);
      await expect(checkRestore(server, programs(18))).rejects.toThrow(`pg_restore: version 18 cannot restore into PostgreSQL ${server} (`);
    },
  );

  it('[OPS-010] that are missing are named', async () => {
    await expect(checkDump(18, { PATH: folder })).rejects.toThrow(
      'pg_dump: cannot be run (it is part of the client programs of PostgreSQL)',
    );
    await expect(checkRestore(18, { PATH: folder })).rejects.toThrow('pg_restore: cannot be run');
  });
});
