import { seededRandom, type Random } from './seeded-random.ts';

type Kind = { weight: number; line: (random: Random) => object };

const requestId = (random: Random): string => [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');

/** Entries of the console's log on an ordinary day. */
const kinds: readonly Kind[] = [
  { weight: 12, line: (random) => ({ level: 'info', events: random.integer(9_000, 24_000), msg: 'Old events were removed' }) },
  { weight: 4, line: () => ({ level: 'info', systems: 91_065, prefixes: 515_158, msg: 'ASN registry: loaded' }) },
  {
    weight: 3,
    line: (random) => ({
      level: 'notice',
      domain: 'goal-rush.example',
      attempt: random.integer(2, 4),
      msg: 'Linking a domain takes longer than usual',
    }),
  },
  {
    weight: 5,
    line: (random) => ({
      level: 'warning',
      request_id: requestId(random),
      err: {
        type: 'Error',
        message: 'Connection terminated unexpectedly',
        stack: `Error: Connection terminated unexpectedly\n    at Connection.<anonymous> (/srv/switchyard/node_modules/pg/lib/client.js:${random.integer(120, 190)}:73)\n    at Socket.emit (node:events:519:28)\n    at process.processTicksAndRejections (node:internal/process/task_queues:85:11)`,
      },
      msg: 'Database: connection lost',
    }),
  },
  {
    weight: 3,
    line: (random) => ({
      level: 'warning',
      server: random.pick(['edge-fra-1', 'edge-sao-1']),
      msg: 'Domain: could not be removed from its server',
    }),
  },
  {
    weight: 2,
    line: (random) => ({
      level: 'error',
      request_id: requestId(random),
      method: 'GET',
      path: '/api/all-requests',
      err: {
        type: 'QueryTimeout',
        message: 'canceling statement due to statement timeout',
        code: '57014',
        stack:
          'QueryTimeout: canceling statement due to statement timeout\n    at runQuery (/srv/switchyard/packages/api/src/database/connect.ts:88:13)\n    at async listRequests (/srv/switchyard/packages/api/src/traffic-store/list-requests.ts:41:16)',
      },
      msg: 'Request: failed',
    }),
  },
];

/** The console's own log of a day that has passed. */
export function demoConsoleLog({ seed, date }: { seed: string; date: string }): string {
  const random = seededRandom(seed, 'console log', date);
  const start = Date.parse(`${date}T00:00:00Z`);
  return Array.from({ length: random.integer(24, 90) }, () => start + random.integer(0, 86_399_999))
    .toSorted((a, b) => a - b)
    .map((at) => {
      const { level, ...rest } = { level: 'info', ...random.pickWeighted(kinds).line(random) };
      return `${JSON.stringify({ level, time: new Date(at).toISOString(), env: 'production', ...rest })}\n`;
    })
    .join('');
}
