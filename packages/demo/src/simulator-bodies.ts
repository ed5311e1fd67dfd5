import type { Random } from './seeded-random.ts';
import type { SimulatedApp, SimulatedClient } from './simulator-clients.ts';

const appVersions = ['1.4.2', '1.5.0', '1.5.1', '2.0.0', '2.1.3'] as const;
const campaigns = ['autumn_push', 'welcome_bonus', 'retention_a', 'lookalike_3', 'broad_18_44'] as const;
const trackEvents = [
  { event: 'session_start', weight: 30 },
  { event: 'screen_view', weight: 24 },
  { event: 'registration', weight: 9 },
  { event: 'deposit_open', weight: 6 },
  { event: 'first_deposit', weight: 3 },
  { event: 'push_open', weight: 10 },
  { event: 'level_up', weight: 8 },
] as const;
const failures = [
  {
    exception_type: 'ConnectException',
    message: 'Connection timed out after 5001 milliseconds',
    file: 'src/Offer/OfferClient.php',
    weight: 8,
  },
  { exception_type: 'Notice', message: 'Trying to get property "country" of null', file: 'src/Geo/GeoReader.php', weight: 7 },
  { exception_type: 'InvalidArgumentException', message: 'Malformed click id', file: 'src/Click/ClickId.php', weight: 5 },
  { exception_type: 'TypeError', message: 'Argument 2 must be of type string, null given', file: 'src/Stream/RuleMatcher.php', weight: 3 },
  { exception_type: 'DecryptException', message: 'The payload is invalid', file: 'src/Http/Decode.php', weight: 2 },
] as const;

/** The request of a client that is first opened, and the response. */
export function createBodies(app: SimulatedApp, client: SimulatedClient, random: Random) {
  const campaign = random.pick(campaigns);
  const body_request = {
    ...deviceFacts(client, random),
    installer: client.os === 'android' ? 'com.android.vending' : 'appstore',
    referrer: `utm_source=${client.streamUid ? 'partner' : 'organic'}&utm_campaign=${campaign}&sub1=${random.hex(8)}&sub2=${random.integer(1_000, 99_999)}`,
    battery: random.integer(6, 100),
    first_launch: true,
  };
  const body_response = client.isBlocked
    ? { status: 'white', reason: client.bot }
    : {
        status: 'ok',
        click_id: clickId(random),
        url: `https://go.${app.domain}/r/${random.hex(10)}?c=${client.uid}&s=${client.streamUid ?? 'organic'}`,
      };
  return {
    body_request,
    body_response,
    additional_data: { asn: random.pick([7018, 3320, 28573, 55836, 12912, 16135]), ms: random.integer(8, 190), sdk: '4.8.1' },
  };
}

/** The request of a client for its address, and the response. */
export function receiveBodies(app: SimulatedApp, client: SimulatedClient, random: Random) {
  return {
    body_request: { ...deviceFacts(client, random), click_id: clickId(random), attempt: random.integer(1, 2) },
    body_response: { status: 'ok', url: `https://go.${app.domain}/l/${random.hex(12)}?c=${client.uid}`, ttl: 3_600 },
    additional_data: { ms: random.integer(6, 120), cache: random.pick(['hit', 'miss']) },
  };
}

/** A client's address for pushes. */
export function tokenBody(client: SimulatedClient, random: Random) {
  return {
    gaid: client.advertisingId,
    provider: client.os === 'android' ? 'fcm' : 'apns',
    push_token: `${random.hex(22)}:APA91b${random.hex(110)}`,
    permission: 'granted',
  };
}

/** Something that a client reports of what its user did. */
export function trackBody(app: SimulatedApp, client: SimulatedClient, random: Random) {
  const { event } = random.pickWeighted(trackEvents);
  const value = event === 'first_deposit' ? { value: random.integer(10, 250), currency: 'EUR' } : {};
  return {
    ...deviceFacts(client, random),
    event,
    ...value,
    screen: random.pick(['lobby', 'wallet', 'profile', 'bonus']),
    bundle: app.bundle,
    session: random.hex(12),
  };
}

/** How a traffic server fared as a go-between. */
export function proxyFacts(random: Random) {
  return {
    upstream_status: random.pick([200, 200, 200, 304, 404]),
    cached: random.chance(0.6),
    bytes: random.integer(900, 480_000),
    ms: random.integer(12, 900),
  };
}

/** Why a request failed. */
export function errorOf(random: Random) {
  const { exception_type, message, file } = random.pickWeighted(failures);
  return {
    exception_type,
    message,
    file,
    line: random.integer(20, 400),
    trace: [`${file}:${random.integer(20, 400)}`, 'src/Http/Kernel.php:118'],
  };
}

function deviceFacts(client: SimulatedClient, random: Random) {
  return {
    gaid: client.advertisingId,
    os: client.os,
    os_version: client.osVersion,
    device: client.device,
    app_version: random.pick(appVersions),
    lang: client.country.language,
    tz: client.country.timezone,
    carrier: random.pick(client.country.carriers),
    connection: random.pick(['wifi', '4g', '5g']),
  };
}

function clickId(random: Random): string {
  return `clk-${random.hex(20)}`;
}
