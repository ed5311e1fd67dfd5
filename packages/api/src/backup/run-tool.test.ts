import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientArguments } from './backup-store.ts';
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

  const local = `host='localhost' port='5432' user='u' dbname='d'`;
  it.each([
    ['u:50%@localhost/d', local, '50%'],
    ['u:a%2Fb%25@localhost/d', local, 'a/b%'],
    ['u@localhost/d?password=hush&keepAlive=true&max=3&uselibpqcompat=true', local, 'hush'],
    ['u:x@localhost/d?sslmode=no-verify', `sslmode='require' ${local}`, 'x'],
    ['u:x@localhost/d?ssl=true&options=-c%20jit%3Don', `sslmode='require' options='-c jit=on' ${local}`, 'x'],
    ['u:x@h/it%27s?host=/run/pg&port=6000', `host='/run/pg' port='6000' user='u' dbname='it\\'s'`, 'x'],
  ])('[OPS-031] connect by postgres://%s as the driver does, with the password in their environment alone', (url, address, password) => {
    expect(clientArguments(`postgres://${url}`, { PATH: folder })).toEqual({ address, env: { PATH: folder, PGPASSWORD: password } });
  });

  it('[OPS-010] that are missing are named', async () => {
    await expect(checkDump(18, { PATH: folder })).rejects.toThrow(
      'pg_dump: cannot be run (it is part of the client programs of PostgreSQL)',
    );
    await expect(checkRestore(18, { PATH: folder })).rejects.toThrow('pg_restore: cannot be run');
  });
});
