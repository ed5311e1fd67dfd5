import { Agent, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Calls the API over kept connections, as a browser or a traffic server does. */
export type ApiClient = {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  post(path: string, body: Buffer | string, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  /** Opens an answer without an end or without a size worth keeping: a file or a live stream. */
  open(path: string): Promise<IncomingMessage>;
  close(): void;
};

/** Status and parsed JSON of an answer. */
export type ApiAnswer = { status: number; body: ReturnType<typeof JSON.parse>; bytes: number };

const connections = 16;

/** A client that shows this token with every call. `root` is the folder of the calls. */
export function createApiClient(base: string, token: string, root = 'api/'): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function call(method: string, path: string, body?: Buffer | string, headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const clientRequest = request(
        `${base}/${root}${path}`,
        { method, agent, headers: { authorization: `Bearer ${token}`, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({
              status: answer.statusCode ?? 0,
              body: bytes.length === 0 ? null : JSON.parse(text(bytes, answer.headers['content-encoding'])),
              bytes: bytes.length,
            });
          });
        },
      );
      clientRequest.on('error', reject);
      clientRequest.end(body);
    });
  }

  return {
    async get(path, headers) {
      const answer = await call('GET', path, undefined, headers);
      if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`);
      return answer;
    },
    open: (path) =>
      new Promise((resolve, reject) => {
        const clientRequest = request(`${base}/${root}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
          if (answer.statusCode === 200) resolve(answer);
          else reject(new Error(`GET ${path} answered ${answer.statusCode}`));
        });
        clientRequest.on('error', reject);
        clientRequest.end();
      }),
    post: (path, body, headers = { 'content-type': 'application/json' }) => call('POST', path, body, headers),
    close: () => agent.destroy(),
  };
}

function text(bytes: Buffer, encoding: string | undefined): string {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
