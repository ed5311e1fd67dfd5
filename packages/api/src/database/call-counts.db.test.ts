import { beforeAll, describe, expect, it } from 'vitest';
import { createAddressLimit } from '../overload/address-limit.ts';
import { afterFile } from '../../test/after-file.ts';
import { emptyPort } from '../../test/empty-port.ts';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { createCallCounts } from './call-counts.ts';
import { type Databases, openDatabases } from './connect.ts';

let databases: Databases;
let moment = Date.parse('2026-11-22T12:00:00Z');
const now = () => new Date(moment);
const counts = (of: Databases = databases) => createCallCounts({ pools: of.pools, now });
const window = 60_000;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

describe('counts of calls', () => {
  it('[O40] [S37] of two processes are added up by key, each call once', async () => {
    const [one, other] = [counts(), counts()];
    for (const key of ['a', 'a', 'b']) one.count(key, window);
    for (const key of ['b', 'a']) other.count(key, window);
    await Promise.all([one.exchange(), one.exchange()]);
    await other.exchange();
    expect([other.count('a', window).calls, other.count('b', window).calls]).toEqual([2 + 1 + 1, 1 + 1 + 1]);
    await other.exchange();
    // A process learns with its own next call.
    one.count('a', window);
    await one.exchange();
    expect(one.count('a', window)).toEqual({ calls: 2 + 2 + 1 + 1, secondsLeft: 60 });
  });

  it('[O40] [S37] start from zero with each window, in the process and in the database', async () => {
    const [one, other] = [counts(), counts()];
    one.count('c', window);
    await one.exchange();
    moment += window / 2;
    other.count('c', window);
    await other.exchange();
    expect(other.count('c', window)).toEqual({ calls: 3, secondsLeft: 30 });
    moment += window / 2;
    expect(other.count('c', window)).toEqual({ calls: 1, secondsLeft: 60 });
    await other.exchange();
    expect(other.count('c', window)).toEqual({ calls: 2, secondsLeft: 60 });
    moment += window;
    await other.maintain();
    expect((await databases.pools.ops.query('select key from call_counts')).rows).toEqual([]);
  });

  it('[O40] [S37] of a limit reject an address that another process has heard enough of', async () => {
    const [one, other] = [counts(), counts()];
    const limits = [one, other].map((own) => createAddressLimit({ name: 'test', calls: 4, window, counts: own }));
    for (let call = 0; call < 4; call += 1) limits[0]?.('192.0.2.1');
    await one.exchange();
    limits[1]?.('192.0.2.1');
    await other.exchange();
    expect(() => limits[1]?.('192.0.2.1')).toThrow('Too many attempts');
    expect(() => limits[1]?.('192.0.2.2')).not.toThrow();
  });

  it('[O40] [S37] go on alone while the database is unavailable', async () => {
    const nowhere = openDatabases({ url: `postgres://nobody@127.0.0.1:${emptyPort}/none`, onError: () => undefined, timeoutFactor });
    afterFile(nowhere.close);
    const alone = counts(nowhere);
    alone.count('d', window);
    await expect(alone.exchange()).rejects.toThrow();
    expect(alone.count('d', window).calls).toBe(2);
  });
});
