import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { day, headersOf, startLogViewer } from '../../../test/log-folders.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { sheetRows } from '../../../test/sheet-rows.ts';

const { api, admin, databases, LOG_DIR, APP_LOG_DIR, call } = await startLogViewer();

const card = '4111111111111111';
const lines = [
  `[${day} 10:00:00] shop.INFO: Sign-in {"id":9007199254740993,"password":"hunter2"} {"cookie":"sid=77"}`,
  `[${day} 10:00:01] shop.ERROR: Payment of ${card} failed, Authorization: Bearer abc.def`,
  `[${day} 10:00:02] shop.INFO: Order ${card.slice(0, -1)}2 {"order":${card}}`,
];

describe.each([
  ['log-viewer/logs', LOG_DIR, 'log'],
  ['octopus-app/log', APP_LOG_DIR, 'app_log'],
])('secrets in %s', (base, dir, entity) => {
  const page = async (query: string) => (await call('GET', `${base}/${day}?${query}`)).body.data;
  const file = async (path: string) =>
    (await api.app.inject({ method: 'GET', url: `/api/${base}/${day}/${path}`, headers: admin.headers })).rawPayload;
  const trail = async () =>
    (await databases.db.selectFrom('audit_entries').select('action').where('entity', '=', entity).orderBy('id').execute()).map(
      ({ action }) => action,
    );

  beforeEach(async () => {
    writeFileSync(join(dir, `shop-${day}.log`), `${lines.join('\n')}\n`);
  });

  it('[LOGX-011] [LOGX-012] are hidden from who reads a day, and from who searches it', async () => {
    const before = await trail();
    const { entries } = await page('');
    expect(JSON.stringify(entries)).not.toMatch(/hunter2|sid=77|abc\.def|Payment of 4/);
    expect(entries[2]).toMatchObject({ context: { password: '[redacted]' }, extra: { cookie: '[redacted]' } });
    expect(entries[1].header).toBe('Payment of [redacted] failed, Authorization: [redacted]');
    expect(entries[0].header).toBe(`Order ${card.slice(0, -1)}2`);
    for (const secret of ['hunter2', 'sid=77', 'abc.def', 'Bearer', `of ${card}`, '"password":"h'])
      expect([secret, headersOf((await page(`query=${encodeURIComponent(secret)}`)).entries)]).toEqual([secret, []]);
    expect(headersOf((await page('query=failed')).entries)).toHaveLength(1);
    expect(headersOf((await page('query=9007199254740993')).entries)).toEqual(['Sign-in']);
    expect(headersOf((await page(`query=${card}`)).entries)).toEqual([`Order ${card.slice(0, -1)}2`]);
    expect(await trail()).toEqual(before);
  });

  it('[LOGX-013] are hidden in the workbook and in the file, packed or not', async () => {
    const cells = sheetRows(await file('download/'))
      .flat()
      .join(' ');
    expect(cells).not.toMatch(/hunter2|sid=77|abc\.def/);
    expect(cells).toContain('"id":9007199254740993,"password":"[redacted]"');
    const shown = [
      `[${day} 10:00:00] shop.INFO: Sign-in {"id":9007199254740993,"password":"[redacted]"} {"cookie":"[redacted]"}`,
      `[${day} 10:00:01] shop.ERROR: Payment of [redacted] failed, Authorization: [redacted]`,
      lines[2],
      '',
    ].join('\n');
    expect((await file('raw')).toString()).toBe(shown);
    writeFileSync(join(dir, `shop-${day}.log.1.gz`), gzipSync(`${lines.join('\n')}\n`));
    expect((await file('raw')).toString()).toBe(shown + shown);
  });

  it('[LOG-040] are hidden where UTF-8 was appended to UTF-16, and both are shown as texts', async () => {
    const line = (second: number, secret: string) =>
      `[${day} 10:00:0${second}] shop.INFO: Größe ✓ ${second}, password=${secret}, card ${card}\n`;
    const wide = (text: string) => Buffer.from(text, 'utf16le');
    // The number of bytes in UTF-8 is odd, so that the UTF-16 behind them is at odd offsets.
    const bytes = [wide(`\uFEFF${line(1, 'один')}`), Buffer.from(line(2, 'hunter2') + line(3, 'три')), wide(line(4, 'four'))];
    expect((bytes[1]?.length ?? 0) % 2).toBe(1);
    writeFileSync(join(dir, `shop-${day}.log`), Buffer.concat(bytes));
    const { entries } = await page('');
    const shown = (second: number, letters = 'Größe ✓') => `${letters} ${second}, password=[redacted], card [redacted]`;
    expect(headersOf(entries).slice(1)).toEqual([shown(3), shown(2), shown(1)]);
    expect(entries[0].header).toMatch(/ 4, password=\[redacted\], card \[redacted\]$/);
    for (const secret of ['hunter2', 'три', 'four', card]) expect((await page(`query=${secret}`)).entries).toEqual([]);
    expect(headersOf((await page(`query=${encodeURIComponent('GRÖßE ✓ 2')}`)).entries)).toEqual([shown(2)]);
    const raw = await file('raw');
    for (const secret of [wide('один'), Buffer.from('hunter2'), Buffer.from('три'), wide('four'), Buffer.from(card), wide(card)])
      expect([secret.toString(), raw.includes(secret)]).toEqual([secret.toString(), false]);
    expect(raw.includes(wide(`Größe ✓ 1, password=[redacted]`))).toBe(true);
    expect(await file('raw?secrets=1')).toEqual(Buffer.concat(bytes));
  });

  it('[LOGX-015] are shown and found with the parameter, and the trail says who saw them', async () => {
    const before = (await trail()).length;
    for (const query of ['secrets=1', 'secrets=1&page=2', 'secrets=1&query=hunter2']) expect((await page(query)).date).toBe(day);
    expect((await trail()).slice(before)).toEqual(['reveal']);
    expect(headersOf((await page('secrets=1&query=hunter2')).entries)).toEqual(['Sign-in']);
    expect(headersOf((await page('query=hunter2')).entries)).toEqual([]);
    expect((await file('raw?secrets=1')).toString()).toBe(`${lines.join('\n')}\n`);
    expect(
      sheetRows(await file('download/?secrets=1'))
        .flat()
        .join(' '),
    ).toContain('hunter2');
    expect((await trail()).slice(before)).toEqual(['reveal', 'reveal', 'download', 'reveal', 'download']);
  });

  it('[LOGX-015] are recorded of each account, and not of one that is refused or of a day that is missing', async () => {
    const [before, other, weak] = [
      await trail(),
      await signInAs(databases, { role: 'Super Admin', since: api.now() }),
      await signInAs(databases, { permissions: ['manager_app_edit'], since: api.now() }),
    ];
    expect((await call('GET', `${base}/2026-01-01?secrets=1`)).status).toBe(404);
    expect((await api.call('GET', `/api/${base}/${day}?secrets=1`, { headers: weak.headers })).status).toBe(403);
    expect(await trail()).toEqual(before);
    expect((await api.call('GET', `/api/${base}/${day}?secrets=1`, { headers: other.headers })).status).toBe(200);
    expect(await trail()).toEqual([...before, 'reveal']);
  });
});
