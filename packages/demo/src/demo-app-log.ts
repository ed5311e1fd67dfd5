import { demoApps } from './demo-apps.ts';
import { seededRandom, type Random } from './seeded-random.ts';

type Moment = { random: Random; at: Date; bundle: string };
type Kind = { weight: number; text: (moment: Moment) => string };

const bundles = demoApps.filter(({ archived }) => !archived).map(({ bundle }) => bundle);
const clientOf = ({ random }: Moment): string => `c-${random.hex(8)}`;
const addressOf = ({ random }: Moment): string => `203.0.113.${random.integer(1, 254)}`;

/** A line as Laravel writes it. */
function laravel(at: Date, level: string, message: string, context: object): string {
  return `[${at.toISOString().slice(0, 19).replace('T', ' ')}] production.${level}: ${message} ${JSON.stringify(context)} []`;
}

/** Frames of a call that failed, its own and those of the framework. */
function laravelStack(random: Random): string {
  const own = ['Services/PushSender.php', 'Services/PostbackClient.php', 'Jobs/SendCampaign.php', 'Http/Controllers/ReceiveController.php'];
  const framework = ['Pipeline/Pipeline.php', 'Routing/Router.php', 'Bus/Dispatcher.php', 'Container/BoundMethod.php', 'Queue/Worker.php'];
  const frames = Array.from({ length: random.integer(6, 24) }, (_, depth) =>
    depth < 3 ? `/srv/app/app/${random.pick(own)}` : `/srv/app/vendor/laravel/framework/src/Illuminate/${random.pick(framework)}`,
  );
  return [...frames.map((file, depth) => `#${depth} ${file}(${random.integer(20, 900)}): handle()`), `#${frames.length} {main}`].join('\n');
}

/** An exception as Laravel spreads it over lines. */
function laravelException({ random, at }: Moment, level: string, { name, message }: { name: string; message: string }): string {
  const time = at.toISOString().slice(0, 19).replace('T', ' ');
  const place = `/srv/app/vendor/laravel/framework/src/Illuminate/Database/Connection.php:${random.integer(700, 830)}`;
  const exception = JSON.stringify(`[object] (${name}(code: 0): ${message} at ${place})`).slice(0, -1);
  const head = `[${time}] production.${level}: ${message} {"exception":${exception}`;
  return `${head}\n[stacktrace]\n${laravelStack(random)}\n"} `;
}

/** A line of the worker, which writes JSON. */
function json({ at }: Moment, level: number, rest: object): string {
  return JSON.stringify({ level, time: at.getTime(), env: 'worker', ...rest });
}

const kinds: readonly Kind[] = [
  {
    weight: 40,
    text: (moment) =>
      laravel(moment.at, 'INFO', `Postback delivered in ${moment.random.integer(24, 480)} ms`, {
        bundle: moment.bundle,
        client_uid: clientOf(moment),
        network: moment.random.pick(['appsflyer', 'adjust', 'meta']),
        attempt: 1,
      }),
  },
  {
    weight: 22,
    text: (moment) => json(moment, 30, { bundle: moment.bundle, devices: moment.random.integer(40, 9_000), msg: 'Push campaign queued' }),
  },
  { weight: 14, text: (moment) => laravel(moment.at, 'DEBUG', 'Stream taken from the cache', { bundle: moment.bundle, ttl: 300 }) },
  { weight: 6, text: (moment) => json(moment, 20, { queue: 'pushes', waiting: moment.random.integer(0, 220), msg: 'Queue looked at' }) },
  {
    weight: 4,
    text: (moment) =>
      laravel(moment.at, 'NOTICE', `Offer of ${moment.bundle} answered with a redirect`, { status: 302, ip: addressOf(moment) }),
  },
  {
    weight: 9,
    text: (moment) =>
      laravel(moment.at, 'WARNING', `Slow postback: ${moment.random.integer(3_000, 9_800)} ms`, {
        bundle: moment.bundle,
        request: { ip: addressOf(moment), client_uid: clientOf(moment), geo: moment.random.pick(['DE', 'BR', 'IN', 'PL']) },
      }),
  },
  {
    weight: 4,
    text: (moment) =>
      laravelException(moment, 'ERROR', {
        name: 'App\\Exceptions\\PostbackRefused',
        message: `Postback of ${moment.bundle} was refused with status ${moment.random.pick([400, 403, 429, 502])}`,
      }),
  },
  {
    weight: 3,
    text: (moment) =>
      json(moment, 50, {
        bundle: moment.bundle,
        campaign: moment.random.integer(100, 999),
        err: {
          type: 'SendError',
          message: 'The push service answered 503',
          stack: `SendError: The push service answered 503\n    at sendBatch (/srv/worker/src/send-batch.js:${moment.random.integer(20, 90)}:11)\n    at async runCampaign (/srv/worker/src/run-campaign.js:41:5)\n    at async process (/srv/worker/node_modules/bullmq/dist/worker.js:512:22)`,
        },
        msg: 'Push batch failed and is tried again',
      }),
  },
  {
    weight: 0.5,
    text: (moment) =>
      laravelException(moment, 'CRITICAL', {
        name: 'Illuminate\\Database\\QueryException',
        message: 'SQLSTATE[08006] [7] connection to server at "10.0.3.12", port 5432 failed: Connection refused',
      }),
  },
  {
    weight: 0.2,
    text: (moment) => laravel(moment.at, 'ALERT', 'Free space of /srv is below 5%', { free_mb: moment.random.integer(200, 900) }),
  },
  { weight: 0.1, text: (moment) => laravel(moment.at, 'EMERGENCY', 'No queue worker answers', { since: moment.at.toISOString() }) },
];

/** The log of the demo's app service on a day, Laravel and JSON lines mixed, up to a moment. */
export function demoAppLog({ seed, date, until }: { seed: string; date: string; until: Date }): string {
  const random = seededRandom(seed, 'app log', date);
  const start = Date.parse(`${date}T00:00:00Z`);
  return Array.from({ length: random.integer(180, 640) }, () => start + random.integer(0, 86_399_999))
    .filter((at) => at < until.getTime())
    .toSorted((a, b) => a - b)
    .map((at) => `${random.pickWeighted(kinds).text({ random, at: new Date(at), bundle: random.pick(bundles) })}\n`)
    .join('');
}
