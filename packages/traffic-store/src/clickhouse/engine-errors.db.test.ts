import { ClickHouseError } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openBreakableProxy, type BreakableProxy } from '../../../api/test/breakable-proxy.ts';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../../api/test/clickhouse-database.ts';
import { emptyPort } from '../../../api/test/empty-port.ts';
import { EventStoreUnavailable } from '../event-store-unavailable.ts';
import { type EngineClient, openEngine } from './engine-client.ts';
import { createGuard } from './engine-availability.ts';
import { isEngineFull, isEngineRejection, isEngineTimeout } from './engine-errors.ts';

/** How the console classifies an error. */
function kindsOf(error: unknown): string[] {
  const kinds = {
    unavailable: error instanceof EventStoreUnavailable,
    timeout: isEngineTimeout(error),
    full: isEngineFull(error),
    rejection: isEngineRejection(error),
  };
  return Object.entries(kinds).flatMap(([kind, isOne]) => (isOne ? [kind] : []));
}

describe.runIf(isClickHouseAvailable())('an error of ClickHouse', () => {
  let url: URL;
  let proxy: BreakableProxy;

  beforeAll(async () => {
    url = new URL((await createClickHouseDatabase()).url);
    proxy = await openBreakableProxy(Number(url.port));
  });
  afterAll(async () => proxy.close());

  async function failure(act: (engine: EngineClient) => Promise<unknown>, port = url.port, timeoutFactor = 10): Promise<unknown> {
    const engine = openEngine({ url: Object.assign(new URL(url), { port }).href, cluster: null, timeoutFactor });
    onTestFinished(async () => engine.close());
    return act(engine).then(
      () => null,
      (error: unknown) => error,
    );
  }
  const slow = 'select count() from system.numbers where not ignore(sleep(0.001))';

  it.each([
    ['unknown tables', 'select * from no_such_table', {}, ['rejection']],
    ['statements that take too long', slow, { max_execution_time: 1, max_block_size: '1' }, ['timeout']],
    ['too little memory', 'select groupArray(number) from numbers(1000000)', { max_memory_usage: '1000' }, ['unavailable']],
  ])('[API-003] recognises %s', async (_what, text, settings, kinds) => {
    expect(kindsOf(await failure(async (engine) => engine.command(text, settings)))).toEqual(kinds);
  });

  it('[API-003] recognises an engine that does not answer: no server, a lost answer, and a server that hangs', async () => {
    const ask = async (engine: EngineClient): Promise<void> => engine.command('select 1');
    expect(kindsOf(await failure(ask, String(emptyPort)))).toEqual(['unavailable']);
    proxy.loseAnswers();
    expect(kindsOf(await failure(ask, String(proxy.port)))).toEqual(['unavailable']);
    proxy.resume();
    proxy.hang();
    expect(kindsOf(await failure(ask, String(proxy.port), 0.002))).toEqual(['unavailable']);
    proxy.resume();
  });

  it.each([
    ['252', 'TOO_MANY_PARTS', 'unavailable'],
    ['243', 'NOT_ENOUGH_SPACE', 'full'],
    ['469', 'VIOLATED_CONSTRAINT', 'rejection'],
  ])('[API-003] recognises code %s, %s, as %s', async (code, type, kind) => {
    const failed = createGuard(async () => true)(async () => Promise.reject(new ClickHouseError({ message: 'no', code, type })));
    expect(kindsOf(await failed.catch((error: unknown) => error))).toEqual([kind]);
  });
});
