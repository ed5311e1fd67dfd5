import { Agent, get } from 'node:http';

/** Traffic servers that ask for their configuration as api [94] says: with the etag of what they have. */
export type Poller = {
  /** The next server in turn polls; `fresh` ones poll as if they had no configuration yet. */
  poll(options?: { fresh: boolean }): Promise<void>;
  /** Every server asks once. */
  pollAll(): Promise<void>;
  /** The first server asks; true when it got something new. */
  pollFirst(): Promise<boolean>;
  close(): void;
};

/** @param options.connections how many calls are open at a time. */
export function createPoller(options: { url: string; tokens: readonly string[]; connections: number }): Poller {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const etags: string[] = options.tokens.map(() => '');
  let turn = 0;

  function ask(server: number, etag: string): Promise<boolean> {
    const headers = { authorization: `Bearer ${options.tokens[server]}`, 'if-none-match': etag };
    return new Promise((resolve, reject) => {
      const clientRequest = get(`${options.url}/api/edge/config`, { agent, headers }, (answer) => {
        answer.resume();
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode !== 200 && answer.statusCode !== 304) return reject(new Error(`a poll was answered ${answer.statusCode}`));
          etags[server] = answer.headers.etag ?? '';
          resolve(answer.statusCode === 200);
        });
      });
      clientRequest.on('error', reject);
    });
  }

  return {
    async poll({ fresh } = { fresh: false }) {
      const server = turn++ % options.tokens.length;
      await ask(server, fresh ? '' : (etags[server] ?? ''));
    },
    async pollAll() {
      await Promise.all(etags.map(async (etag, server) => ask(server, etag)));
    },
    pollFirst: async () => ask(0, etags[0] ?? ''),
    close: () => agent.destroy(),
  };
}
