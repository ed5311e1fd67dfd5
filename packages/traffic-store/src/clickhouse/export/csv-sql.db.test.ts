import { describe, expect, it } from 'vitest';
import { createTestEngine, isClickHouseAvailable } from '../../../../api/test/clickhouse-database.ts';
import { sampleEvent } from '../../../../api/test/sample-event.ts';
import { guardedText } from '../../csv.ts';
import { type NewEvent, toListedText } from '../../event-fields.ts';
import { untilException } from '../engine-client.ts';
import { newParameters } from '../statement.ts';
import { csvSql, engineFormula, guardSql, listOf } from './csv-sql.ts';
import { pieceSettings } from './plain-rows.ts';

async function* partsOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function read(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of bytes) text += part.toString();
  return text;
}

describe.runIf(isClickHouseAvailable())('the guard against formulas in ClickHouse', () => {
  it('[S42] [CONST-029] is the rule of JavaScript, whatever a text begins with', async () => {
    const { engine } = await createTestEngine();
    const first = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCodePoint(code)).filter(
      (sign) => sign !== '\0' && sign.isWellFormed(),
    );
    const parameters = newParameters();
    const guard = guardSql('text', parameters.add(engineFormula, 'String'));
    const endings = ['', '=1', '\u200B+1', 'text'];
    const text = `select concat(${guard}, text) as cell from (
      select concat(sign, arrayJoin(${listOf(endings, parameters)})) as text from (select arrayJoin(${listOf(['', ...first], parameters)}) as sign))`;
    const cells = await engine.lines({ text: `select hex(cell) from (${text})`, parameters });
    const texts = ['', ...first].flatMap((sign) => endings.map((ending) => `${sign}${ending}`));
    expect(cells).toHaveLength(texts.length);
    expect(texts.filter((given, index) => cells[index] !== Buffer.from(guardedText(given)).toString('hex').toUpperCase())).toEqual([]);
    // A server takes 128 KiB in a parameter.
    expect(Object.values(parameters.values).every((value) => Buffer.byteLength(JSON.stringify(value)) < 2 ** 17)).toBe(true);
  });
});

describe.runIf(isClickHouseAvailable())('plain rows in ClickHouse', () => {
  it('[EVT-037] are those of ordinary traffic, which need no splitting', async () => {
    const { engine } = await createTestEngine();
    const event = sampleEvent({ occurred_at: 1, user_agent: 'Mozilla/5.0 (Linux; Android, 14)', stream_uid: 'st_1', bot: 'CF L1' });
    const bodies = { body_request: { click: 'a,b\n"c"', device: { os: 14 } }, body_response: { list: [1, null], ok: true } };
    const texts = (changes: readonly Partial<NewEvent>[]) => changes.map((change) => toListedText({ ...event, ...bodies, ...change }, 7));
    const arePlain = async (rows: readonly string[]) => {
      const parameters = newParameters();
      const events = `(select arrayJoin(${parameters.add(rows, 'Array(String)')}) as row, 1 as id, 'create' as type, now64(6) as occurred_at)`;
      const { from } = csvSql({ bundles: new Map(), names: new Map() }, parameters);
      return engine.lines({ text: `select is_plain from ${from(events)} settings ${pieceSettings}`, parameters });
    };
    const plain = texts([
      {},
      { user_agent: null, server_id: 3 },
      { body_request: null, body_response: {}, error: { message: 'null' }, additional_data: { ms: 7 } },
      { error: { type: 'Notice' }, additional_data: null },
    ]);
    // As the first version stored it.
    const older = plain.map((row) => row.replace(/,(?:null|3)\]$/, ']'));
    expect(await arePlain([...plain, ...older])).toEqual(Array.from({ length: 8 }, () => '1'));
    const other = texts([
      { body_request: [{}, {}] },
      { error: { message: '},{' } },
      { body_request: 'text' },
      { client_uid: 'a"b' },
      { client_uid: '=1' },
      { bot: 'a,b' },
      { user_agent: '-1' },
    ]);
    expect(await arePlain(other)).toEqual(other.map(() => '0'));
  });
});

describe('a result that fails after its first bytes', () => {
  const failure = ['a\r\nb\r\n', '\r\n__exception__\r\nFOO', 'BAR\nboom\n5 FOOBAR\r\n__exception__\r\n'];

  it('[EVT-037] fails, also where its mark is cut in two', async () => {
    await expect(read(untilException(partsOf(...failure), 'FOOBAR'))).rejects.toThrow('ClickHouse');
    await expect(read(untilException(partsOf(...Array.from(failure.join(''))), 'FOOBAR'))).rejects.toThrow('ClickHouse');
  });

  it('[EVT-037] is passed on unchanged if there is no mark', async () => {
    expect(await read(untilException(partsOf(...failure), 'OTHER'))).toBe(failure.join(''));
    expect(await read(untilException(partsOf(...failure), undefined))).toBe(failure.join(''));
  });
});
