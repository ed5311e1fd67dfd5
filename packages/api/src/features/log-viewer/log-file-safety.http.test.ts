import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { day, headersOf, startLogViewer } from '../../../test/log-folders.ts';
import { openLog } from '../../observability/logging.ts';

const { api, admin, folder, LOG_DIR, call } = await startLogViewer();
const file = join(LOG_DIR, `console-${day}.log`);

describe('safety of log files', () => {
  it('[AMB-069] answers 404 to every trick with the date, on every verb, and leaves the target alone (S25)', async () => {
    const target = join(folder, 'secret.log');
    writeFileSync(target, 'secret');
    symlinkSync(target, join(LOG_DIR, '2026-01-01.log'));
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', join(LOG_DIR, 'console-2026-01-02.log')]);
    mkdirSync(join(LOG_DIR, 'console-2026-01-03.log'));
    for (const noDay of ['2026-13-40', '2026-02-30']) writeFileSync(join(LOG_DIR, `console-${noDay}.log`), 'x');
    const dates = [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      '2026-01-01%00',
      '%2fetc%2fpasswd',
      '2026-01-01',
      '2026-01-02',
      '2026-01-03',
      '2026-13-40',
      '2026-02-30',
      '2026-1-1',
    ];
    for (const date of dates) {
      for (const path of [date, `${date}/download/`, `${date}/raw`])
        expect([path, (await call('GET', `log-viewer/logs/${path}`)).status]).toEqual([path, 404]);
      expect((await call('DELETE', 'log-viewer/logs/delete', { date: decodeURIComponent(date) })).status).toBe(404);
    }
    expect((await call('GET', 'log-viewer/logs')).body.data).toEqual([]);
    expect(readFileSync(target, 'utf8')).toBe('secret');
  });

  it('follows a file that grows, is truncated, and is replaced (R16)', async () => {
    const line = (text: string) => `{"level":"info","msg":"${text}"}\n`;
    const listHeaders = async () => headersOf((await call('GET', `log-viewer/logs/${day}`)).body.data.entries);
    writeFileSync(file, line('one') + '{"level":"error"');
    expect(await listHeaders()).toEqual(['one']);
    appendFileSync(file, ',"msg":"two"}\n');
    expect(await listHeaders()).toEqual(['two', 'one']);
    truncateSync(file, 0);
    expect(await listHeaders()).toEqual([]);
    writeFileSync(file, line('other') + line('file') + line('longer') + line('than before'));
    expect(await listHeaders()).toEqual(['than before', 'longer', 'file', 'other']);
    renameSync(file, `${file}.old`);
    writeFileSync(file, line('rotated'));
    expect(await listHeaders()).toEqual(['rotated']);
    writeFileSync(file, `${'\0'.repeat(5000)}${line('after a hole')}`);
    expect(await listHeaders()).toEqual(['after a hole']);
  });

  it('[AMB-216] loses no line when the file of today is deleted', async () => {
    const { logger } = openLog({ dir: LOG_DIR, retentionDays: 30, environment: 'test', now: () => new Date(`${day}T10:00:00Z`) });
    logger.info('before');
    expect((await call('DELETE', 'log-viewer/logs/delete', { date: day })).status).toBe(204);
    expect(existsSync(file)).toBe(false);
    logger.info('after');
    expect(headersOf((await call('GET', `log-viewer/logs/${day}`)).body.data.entries)).toEqual(['after']);
  });

  it('finds what the console itself wrote of a request by its id, and no secret in it (S27)', async () => {
    const { logger } = openLog({ dir: LOG_DIR, retentionDays: 30, environment: 'test', now: () => new Date(`${day}T10:00:00Z`) });
    logger.info('another');
    logger.error(
      { err: new Error('broken'), request_id: 'order-66.retry_2', body: { password: 'hunter2' } },
      'A request failed\n[2026] x.ALERT: forged',
    );
    const { body } = await call('GET', `log-viewer/logs/${day}?query=order-66.retry_2`);
    expect(body.data.entries).toMatchObject([
      {
        level: 'error',
        env: 'test',
        datetime: `${day} 10:00:00`,
        header: 'A request failed\n[2026] x.ALERT: forged',
        context: { request_id: 'order-66.retry_2', body: { password: '[redacted]' }, err: { message: 'broken' } },
        stack: expect.stringContaining('Error: broken'),
      },
    ]);
    expect([body.data.all, body.data.alert]).toEqual([2, 0]);
  });

  it('cuts a download off where the file was truncated meanwhile, so that nobody takes a part for the whole (R16)', async () => {
    const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
    for (const kind of ['download/', 'raw']) {
      // Incompressible data, so that the reader's buffer is full long before the file is read.
      writeFileSync(
        file,
        Array.from({ length: 200 }, () => `{"level":"info","msg":"${randomBytes(150_000).toString('base64')}"}\n`).join(''),
      );
      const answer = await fetch(`${url}/api/log-viewer/logs/${day}/${kind}`, { headers: admin.headers });
      expect(answer.status).toBe(200);
      const parts = answer.body?.getReader();
      await parts?.read();
      truncateSync(file, 1000);
      const rest = async () => {
        while ((await parts?.read())?.done === false);
      };
      await expect(rest()).rejects.toThrow();
    }
  });

  it('lets two viewers read at once, one of whom searches, and returns the right entries to each', async () => {
    writeFileSync(file, Array.from({ length: 20_000 }, (_, n) => `{"level":"${n % 2 ? 'info' : 'error'}","msg":"entry ${n}"}\n`).join(''));
    const answers = await Promise.all(
      ['query=entry%2019999', 'level=error&limit=1', 'page=400&limit=50', 'query=nowhere&wait=9'].map((query) =>
        call('GET', `log-viewer/logs/${day}?${query}`),
      ),
    );
    expect(answers.map(({ body }) => [body.pagination.total, body.data.entries[0]?.header])).toEqual([
      [1, 'entry 19999'],
      [10_000, 'entry 19998'],
      [20_000, 'entry 49'],
      [0, undefined],
    ]);
    expect(answers[3]?.body.data).not.toHaveProperty('search_stopped');
    expect(answers[0]?.body.data).not.toHaveProperty('indexing');
  });

  it('shows the newest entries of a file that takes long to read, says how far it is, and deletes it without waiting (R18)', async () => {
    // A hole takes time to read and no room.
    writeFileSync(file, '');
    truncateSync(file, 100_000_000_000);
    appendFileSync(file, Array.from({ length: 100 }, (_, n) => `\n{"level":"info","msg":"entry ${n}"}`).join(''));
    const { body } = await call('GET', `log-viewer/logs/${day}?limit=2`);
    expect(body.data.entries.map(({ id, header }: { id: number; header: string }) => [id, header])).toEqual([
      [-1, 'entry 99'],
      [-2, 'entry 98'],
    ]);
    expect(body.data).toMatchObject({ all: 100, size: '93.1 GB', indexing: { of: body.data.size_bytes } });
    expect((await call('GET', 'log-viewer/logs')).body.data).toMatchObject([
      { date: day, all: 100, indexing: { of: body.data.size_bytes } },
    ]);
    const search = await call('GET', `log-viewer/logs/${day}?query=ENTRY%207&wait=1`);
    expect(search.body.data.search_stopped.bytes).toBeLessThan(search.body.data.search_stopped.of);
    expect(search.body.pagination.total).toBe(11);
    expect((await call('DELETE', 'log-viewer/logs/delete', { date: day })).status).toBe(204);
    expect((await call('GET', `log-viewer/logs/${day}`)).status).toBe(404);
  });
});
