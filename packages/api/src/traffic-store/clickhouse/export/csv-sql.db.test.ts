import { describe, expect, it } from 'vitest';
import { createTestEngine, isClickHouseAvailable } from '../../../../test/clickhouse-database.ts';
import { guardedText } from '../../csv.ts';
import { untilException } from '../engine-client.ts';
import { newParameters } from '../statement.ts';
import { engineFormula, guardSql, listOf } from './csv-sql.ts';

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
