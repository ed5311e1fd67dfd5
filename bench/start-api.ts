import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';

/** The API in its own process. */
export type RunningApi = {
  url: string;
  /** Memory of the process in bytes, as the system counts it (resident set). */
  memory(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts the API on a free port over this database, in production mode. */
export async function startApi(databaseUrl: string): Promise<RunningApi> {
  const child = fork(join(import.meta.dirname, 'api-process.ts'), {
    env: { NODE_ENV: 'production', DATABASE_URL: databaseUrl, SECRET_KEY: 'bench'.repeat(10), DATA_DIR: '/nonexistent' },
  });
  const { port } = await answerOf(child, z.object({ port: z.number() }));
  return {
    url: `http://127.0.0.1:${port}`,
    async memory() {
      child.send('memory');
      return (await answerOf(child, z.object({ bytes: z.number() }))).bytes;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function answerOf<S extends z.ZodType>(child: ChildProcess, schema: S): Promise<z.output<S>> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('the API process ended');
  });
  gone.catch(() => undefined);
  const [message] = await Promise.race([once(child, 'message'), gone]);
  return schema.parse(message);
}
