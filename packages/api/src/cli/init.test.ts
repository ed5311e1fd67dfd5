import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, runProgram } from '../../test/console-process.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-init-'));
  file = join(folder, 'switchyard.env');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const init = async (...flags: string[]) => runProgram(['init', '--file', file, ...flags], { env: { DATA_DIR: join(folder, 'data') } });
const values = (): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

describe('switchyard init', () => {
  it('[OPS-023] writes a file that only its owner may read, with a token of its own, checks it and says what is left', async () => {
    const { code, stdout } = await init('--app-url', 'https://console.example.com', '--trusted-proxies', '127.0.0.1/32');
    expect([code, statSync(file).mode & 0o777]).toEqual([0, 0o600]);
    expect(values()).toEqual({
      APP_URL: 'https://console.example.com',
      TRUSTED_PROXIES: '127.0.0.1/32',
      METRICS_TOKEN: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(stdout).toMatch(/^Written: .*\n(ok: .*\n)+\nWhat is left:\n1\. After the first start keep a copy of DATA_DIR\/secret-key/);
    expect(stdout).not.toContain(values()['METRICS_TOKEN']);
    const again = await init('--app-url', 'https://console.example.com');
    expect(again).toMatchObject({ code: 1, stderr: `${file}: exists already (choose another --file, or edit it)\n` });
  });

  it('[OPS-023] makes the key of a PostgreSQL of your own, quotes what has to be, and keeps the file though a check fails', async () => {
    const databaseUrl = 'postgres://u:hush$1@127.0.0.1:9/none';
    const { code, stdout } = await init('--app-url', 'http://localhost:3000', '--database-url', databaseUrl, '--group', 'no-such-group');
    expect([code, statSync(file).mode & 0o777]).toEqual([1, 0o640]);
    expect(values()).toMatchObject({ DATABASE_URL: `'${databaseUrl}'`, SECRET_KEY: expect.stringMatching(/^[\w-]{43}$/) });
    expect(stdout).toContain('could not be given to the group no-such-group');
    expect(stdout).toMatch(/^problem: Database: cannot connect/m);
    expect(stdout).toContain('1. Keep a copy of SECRET_KEY elsewhere');
    expect(stdout).not.toContain('hush');
  });

  it('[OPS-032] lets the group read the file whatever umask is set', async () => {
    const command = `umask 077; exec ${program} init --file ${file} --app-url http://localhost:3000 --group "$(id -gn)"`;
    const child = spawn('sh', ['-c', command], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data') },
      stdio: 'ignore',
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('[OPS-023] writes nothing for invalid answers, and names all of them', async () => {
    const { code, stderr } = await init('--app-url', 'console', '--admin-email', 'x', '--smtp-url', 'http://x');
    expect(code).toBe(1);
    for (const name of ['APP_URL', 'ADMIN_EMAIL', 'SMTP_URL']) expect(stderr).toMatch(new RegExp(`^${name}: `, 'm'));
    expect(await init()).toMatchObject({ code: 1, stderr: '--app-url: missing\n' });
    expect(await init('--app-url', 'https://x.example', '--mail-from', `a'b@x.example`)).toMatchObject({ code: 1 });
    expect(existsSync(file)).toBe(false);
  });

  it('[OPS-023] asks at a terminal for what is left out, and not for what does not matter', async () => {
    const command = `${program} init --file ${file} --app-url https://console.example.com`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data') },
    });
    const output = text(child.stdout);
    // One line for each question: the sender of mails is not asked for, as there is no mail server.
    child.stdin.write('admin@example.com\n\n\n10.0.0.0/8\n');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await output).not.toContain('Sender of mails');
    expect(values()).toMatchObject({ ADMIN_EMAIL: 'admin@example.com', TRUSTED_PROXIES: '10.0.0.0/8' });
    expect(values()).not.toHaveProperty('DATABASE_URL');
  });
});
