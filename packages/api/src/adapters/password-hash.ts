import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { createLimiter } from '../overload/limiter.ts';

/** Hashes passwords for storage and checks them. Throws 503 if too many calls wait. */
export type PasswordHash = {
  /** Of the password in NFC, the same on every keyboard. PHC text `$argon2id$v=19$m=…,t=…,p=…$salt$hash`; different on every call. */
  hash(password: string): Promise<string>;
  /** Whether the password matches. Without a stored hash the result is false after the same amount of work. */
  matches(password: string, storedHash: string | null): Promise<boolean>;
};

type Cost = { memory: number; passes: number; parallelism: number };

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 25 ms. */
const usualCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

type Options = { running?: number; waiting?: number; cost?: Cost };

/** Hashes at most `running` passwords at once, one for each worker thread; `waiting` more may wait. Only tests give another cost. */
export function createPasswordHash({ running = 4, waiting = 64, cost = usualCost }: Options = {}): PasswordHash {
  const limiter = createLimiter({ slots: running, queue: waiting });
  const derive = (password: string, salt: Buffer, { length, ...params }: Cost & { length: number }) =>
    limiter.run(() => argon2id({ message: password, nonce: salt, tagLength: length, ...params }));

  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const hash = await derive(password.normalize('NFC'), salt, { ...cost, length: hashBytes });
      return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${trimPadding(salt)}$${trimPadding(hash)}`;
    },
    async matches(password, storedHash) {
      const parts = storedHash === null ? null : phc.exec(storedHash);
      // Earlier hashes are of the text as typed. Every text is tried, so that the time says nothing about the stored hash.
      const texts = [...new Set([password.normalize('NFC'), password])];
      if (!parts) {
        for (const text of texts) await derive(text, randomBytes(saltBytes), { ...cost, length: hashBytes });
        return false;
      }
      const [, memory, passes, parallelism, salt = '', hash = ''] = parts;
      const expected = Buffer.from(hash, 'base64');
      const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), length: expected.length };
      let isRight = false;
      for (const text of texts) if (timingSafeEqual(await derive(text, Buffer.from(salt, 'base64'), parameters), expected)) isRight = true;
      return isRight;
    },
  };
}

function trimPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

type Argon2Input = Parameters<typeof argon2>[1];

function argon2id(input: Argon2Input): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', input, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
