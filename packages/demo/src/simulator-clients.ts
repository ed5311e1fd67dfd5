import { type DemoApp, demoApps } from './demo-apps.ts';
import { type DemoStream, demoStreams } from './demo-streams.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { addressIn, carrierAddress, clientCountries, clientCountry, type ClientCountry, hostingAddress } from './simulator-countries.ts';

/** The data of an app that the simulator needs to act as its end clients. */
export type SimulatedApp = Pick<DemoApp, 'bundle' | 'domain' | 'weight'> & {
  streams: readonly Pick<DemoStream, 'uid' | 'countries' | 'isQa' | 'weight'>[];
};

/** An end user's device: the same at each visit. */
export type SimulatedClient = {
  uid: string;
  streamUid: string | null;
  country: ClientCountry;
  ip: string;
  /** Bot labels; a client that a label blocks never gets further than its first request. */
  bot: string;
  isBlocked: boolean;
  os: 'android' | 'ios';
  osVersion: string;
  device: string;
  userAgent: string;
  advertisingId: string;
};

const androids = [
  { device: 'SM-A546B', weight: 9 },
  { device: 'SM-S918B', weight: 6 },
  { device: 'Redmi Note 12', weight: 9 },
  { device: 'M2101K6G', weight: 6 },
  { device: 'Pixel 8', weight: 3 },
  { device: 'CPH2471', weight: 5 },
  { device: 'moto g84 5G', weight: 4 },
  { device: 'V2254', weight: 3 },
  { device: 'Infinix X6833B', weight: 3 },
] as const;
const iphones = ['iPhone14,5', 'iPhone15,2', 'iPhone15,4', 'iPhone13,2', 'iPhone12,8'] as const;
const botLabels = [
  { bot: 'BOT', weight: 26 },
  { bot: 'L1', weight: 22 },
  { bot: 'L1 L2', weight: 14 },
  { bot: 'CF L1', weight: 9 },
  { bot: 'HLL', weight: 11 },
  { bot: 'VLA', weight: 8 },
  { bot: 'ORG', weight: 6 },
  { bot: 'BOT L2 ORG', weight: 4 },
] as const;
const botAgents = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/129.0.0.0 Safari/537.36',
  'python-requests/2.32.3',
  'curl/8.5.0',
  'okhttp/4.12.0',
] as const;

const shares = { stream: 0.9, streamCountry: 0.92, bot: 0.085, contentNetwork: 0.22, android: 0.82, unplacedAddress: 0.004 };

/** The client of these parts. The same parts always give the same client. */
export function simulatedClient(app: SimulatedApp, ...seed: readonly (string | number)[]): SimulatedClient {
  const random = seededRandom('client', app.bundle, ...seed);
  const stream = app.streams.length > 0 && random.chance(shares.stream) ? random.pickWeighted(app.streams) : null;
  const streamCountry = stream && random.chance(shares.streamCountry) ? clientCountry(random.pick(stream.countries)) : undefined;
  const country = streamCountry ?? random.pickWeighted(clientCountries);
  const isBlocked = random.chance(shares.bot) && !stream?.isQa;
  const os = random.chance(shares.android) ? 'android' : 'ios';
  const { device, osVersion, userAgent } = os === 'android' ? android(random) : iphone(random);
  const ip = random.chance(shares.unplacedAddress) ? carrierAddress(random) : addressIn(country, random);
  return {
    uid: `c-${random.hex(16)}`,
    streamUid: stream?.uid ?? null,
    country,
    ip: isBlocked && random.chance(0.7) ? hostingAddress(random) : ip,
    bot: isBlocked ? random.pickWeighted(botLabels).bot : random.chance(shares.contentNetwork) ? 'CF' : '',
    isBlocked,
    os,
    osVersion,
    device,
    userAgent: isBlocked && random.chance(0.6) ? random.pick(botAgents) : userAgent,
    advertisingId: [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-'),
  };
}

function android(random: Random) {
  const osVersion = String(random.integer(10, 15));
  const { device } = random.pickWeighted(androids);
  const chrome = `${random.integer(118, 141)}.0.${random.integer(5_000, 7_400)}.${random.integer(40, 200)}`;
  const userAgent = `Mozilla/5.0 (Linux; Android ${osVersion}; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/${chrome} Mobile Safari/537.36`;
  return { device, osVersion, userAgent };
}

function iphone(random: Random) {
  const osVersion = `${random.integer(16, 26)}.${random.integer(0, 6)}`;
  const userAgent = `Mozilla/5.0 (iPhone; CPU iPhone OS ${osVersion.replace('.', '_')} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`;
  return { device: random.pick(iphones), osVersion, userAgent };
}

/** The demo's apps as the simulator plays them: those that have traffic, with their streams. */
export function demoTraffic(): SimulatedApp[] {
  return demoApps
    .filter((app) => app.weight > 0)
    .map(({ bundle, domain, weight }) => ({ bundle, domain, weight, streams: demoStreams.filter((stream) => stream.bundle === bundle) }));
}
