import type { ingestedEvent } from '@switchyard/contract/ingest';
import type { Microseconds } from '@switchyard/contract/dates';
import type { z } from 'zod';
import type { Random } from './seeded-random.ts';
import { createBodies, errorOf, proxyFacts, receiveBodies, tokenBody, trackBody } from './simulator-bodies.ts';
import type { SimulatedApp, SimulatedClient } from './simulator-clients.ts';

/** A row of `POST ingest/events` but for its id and date, which it gets when it is sent. */
export type EventFacts = Omit<z.input<typeof ingestedEvent>, 'id' | 'date'>;

/** Something that a client asks for, so long after its visit began. */
export type PlannedEvent = { after: Microseconds; facts: EventFacts };

export type VisitKind = 'install' | 'return' | 'page' | 'proxy' | 'failure';

/** How often each kind of visit happens for one event in all; chosen so that visits times their events give one. */
export const visitShares: Readonly<Record<VisitKind, number>> = { install: 0.113, return: 0.19, page: 0.09, proxy: 0.045, failure: 0.012 };

const second = 1_000_000;

type Planner = (app: SimulatedApp, client: SimulatedClient, random: Random) => PlannedEvent[];

const planners: Readonly<Record<VisitKind, Planner>> = {
  install,
  return: comeBack,
  page: (app, client) => [{ after: 0, facts: { ...anonymous(app, client), type: 'static' } }],
  proxy: (app, client, random) => [{ after: 0, facts: { ...anonymous(app, client), type: 'proxy', additional_data: proxyFacts(random) } }],
  failure: (app, client, random) => {
    const body_request = trackBody(app, client, random);
    return [{ after: 0, facts: { ...knownFacts(app, client, random), type: 'error', error: errorOf(random), body_request } }];
  },
};

/** Requests of a client during one visit, in order of time. */
export function planVisit(kind: VisitKind, app: SimulatedApp, client: SimulatedClient, random: Random): PlannedEvent[] {
  return planners[kind](app, client, random);
}

function install(app: SimulatedApp, client: SimulatedClient, random: Random): PlannedEvent[] {
  const facts = { ...knownFacts(app, client, random), ...createBodies(app, client, random) };
  const events: PlannedEvent[] = [{ after: 0, facts: withRareNotice({ ...facts, type: 'create' }, random) }];
  if (client.isBlocked || random.chance(0.08)) return events;
  let after = random.integer(1, 6) * second;
  events.push({
    after,
    facts: withRareNotice({ ...knownFacts(app, client, random), ...receiveBodies(app, client, random), type: 'receive' }, random),
  });
  if (random.chance(0.62)) {
    after += random.integer(4, 40) * second;
    events.push({ after, facts: { ...knownFacts(app, client, random), type: 'token', body_request: tokenBody(client, random) } });
  }
  return [...events, ...tracks(app, client, random, { after, most: 3 })];
}

function comeBack(app: SimulatedApp, client: SimulatedClient, random: Random): PlannedEvent[] {
  if (client.isBlocked)
    return [{ after: 0, facts: { ...knownFacts(app, client, random), ...createBodies(app, client, random), type: 'create' } }];
  const opening = random.chance(0.35)
    ? [{ after: 0, facts: { ...knownFacts(app, client, random), ...receiveBodies(app, client, random), type: 'receive' as const } }]
    : [{ after: 0, facts: { ...knownFacts(app, client, random), body_request: trackBody(app, client, random), type: 'track' as const } }];
  return [...opening, ...tracks(app, client, random, { after: 0, most: 3 })];
}

function tracks(app: SimulatedApp, client: SimulatedClient, random: Random, from: { after: Microseconds; most: number }): PlannedEvent[] {
  const events: PlannedEvent[] = [];
  let { after } = from;
  for (let remaining = random.integer(0, from.most); remaining > 0; remaining--) {
    after += random.integer(15, 420) * second;
    events.push({ after, facts: { ...knownFacts(app, client, random), type: 'track', body_request: trackBody(app, client, random) } });
  }
  return events;
}

/** Facts that a traffic server has of a client with a uid. */
function knownFacts(app: SimulatedApp, client: SimulatedClient, random: Random): Omit<EventFacts, 'type'> {
  return {
    bundle: app.bundle,
    client_uid: client.uid,
    stream_uid: client.streamUid,
    ip: client.ip,
    // Some traffic servers send the country themselves; for the others it is looked up.
    ...(random.chance(0.2) && !client.isBlocked && !client.ip.startsWith('100.') ? { country: client.country.code } : {}),
    bot: client.bot,
    user_agent: client.userAgent,
    postbacks_domain: random.chance(0.14) ? '' : `pb.${app.domain}`,
  };
}

/** Facts that it has of a visitor who only requested a page or a file. */
function anonymous(app: SimulatedApp, client: SimulatedClient): Omit<EventFacts, 'type'> {
  return { bundle: app.bundle, ip: client.ip, bot: client.bot, user_agent: client.userAgent, postbacks_domain: '' };
}

/** Few requests are answered although something was amiss. */
function withRareNotice(facts: EventFacts, random: Random): EventFacts {
  if (!random.chance(0.018)) return facts;
  const field = random.pick(['sub1', 'sub2', 'gclid', 'campaign_id', 'media_source']);
  return {
    ...facts,
    error: {
      exception_type: 'Notice',
      message: `Undefined index: ${field}`,
      file: 'src/Postback/Parameters.php',
      line: random.integer(40, 220),
    },
  };
}
