import { randomBytes } from 'node:crypto';
import type { Databases } from '../../src/database/connect.ts';
import type { NewApp } from '../../src/demo/demo-store.ts';

const blank = { type: 'json', code: 200, response: '' };

/** Adds an app, named at random where nothing is given; gives its id and what it is known by. */
export async function createApp({ db }: Pick<Databases, 'db'>, values: Partial<NewApp> = {}) {
  const tag = randomBytes(5).toString('hex');
  return db
    .insertInto('apps')
    .values({
      name: `App ${tag}`,
      bundle: `com.test.${tag}`,
      domain: `${tag}.example`,
      vertical: 'bet',
      response_message: JSON.stringify({ static: blank, create: blank, receive: blank }),
      ...values,
    })
    .returning(['id', 'name', 'bundle', 'domain', 'version'])
    .executeTakeFirstOrThrow();
}
