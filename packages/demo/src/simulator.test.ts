import { ingestedEvent } from '@switchyard/contract/ingest';
import { botLabels, requestTypes } from '@switchyard/contract/requests';
import { Reader, type CountryResponse } from 'mmdb-lib';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { busyness, createHistory, hoursOf, planHistory } from './simulator-history.ts';
import { demoStreams } from './demo-streams.ts';
import { demoTraffic } from './simulator-clients.ts';
import { uuidV7, type EventRow } from './ingest-rows.ts';
import { seededRandom } from './seeded-random.ts';
import { addressIn, clientCountries } from './simulator-countries.ts';
import { createLiveTraffic } from './simulator-live.ts';

const until = Date.UTC(2026, 10, 20, 10, 30) * 1000;
const plan = planHistory({ seed: 'a', until, days: 2, events: 20_000, utcOffset: '+00:00' });
const apps = demoTraffic();

function whole(historyPlan = plan): EventRow[] {
  const history = createHistory(historyPlan, apps);
  return hoursOf(historyPlan).flatMap((hour) => history.rowsOfHour(hour));
}
const rows = whole();

describe('simulated past', () => {
  it('makes about as many events as planned, inside the planned time and newest hour first', () => {
    expect(rows.length).toBeGreaterThan(18_000);
    expect(rows.length).toBeLessThan(22_000);
    const times = rows.map((row) => Date.parse(row.date) * 1000);
    expect(Math.max(...times)).toBeLessThan(until);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(plan.firstHour * 3_600_000_000);
    const hours = hoursOf(plan);
    expect(hours).toEqual([...hours].sort((a, b) => b - a));
    expect(hours).toHaveLength(49);
  });

  it('is the same row by row for the same plan, whichever hours are made, and another for another seed', () => {
    const again = createHistory(plan, apps);
    const hour = hoursOf(plan)[5] ?? 0;
    expect(again.rowsOfHour(hour)).toEqual(createHistory(plan, apps).rowsOfHour(hour));
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    const other = new Set(whole({ ...plan, seed: 'b' }).map((row) => row.id));
    expect(rows.some((row) => other.has(row.id))).toBe(false);
  });

  it('makes rows that ingestion accepts as they are', () => {
    const result = z.array(ingestedEvent).safeParse(rows);
    expect(result.error?.issues.slice(0, 3)).toBeUndefined();
    const knownLabels = new Set(Object.keys(botLabels));
    for (const label of new Set(rows.flatMap((row) => String(row.bot ?? '').split(' ')))) expect(['', ...knownLabels]).toContain(label);
  });

  it('holds every type, errors of type Notice and others, testers, bots, IPv6 and empty postbacks domains', () => {
    expect(new Set(rows.map((row) => row.type))).toEqual(new Set(requestTypes));
    const exceptions = rows.map((row) => z.object({ exception_type: z.string() }).safeParse(row.error).data?.exception_type);
    expect(exceptions).toEqual(expect.arrayContaining(['Notice', 'ConnectException']));
    const testing = new Set(demoStreams.filter((stream) => stream.isQa).map((stream) => stream.uid));
    expect(rows.some((row) => testing.has(String(row.stream_uid)))).toBe(true);
    expect(rows.some((row) => row.bot === 'HLL')).toBe(true);
    expect(rows.some((row) => row.ip.includes(':'))).toBe(true);
    expect(rows.some((row) => row.type === 'create' && row.postbacks_domain === '')).toBe(true);
  });

  it('has clients that create once, then receive, and return from the same device', () => {
    const byClient = Map.groupBy(
      rows.filter((row) => row.client_uid),
      (row) => row.client_uid,
    );
    const returning = [...byClient.values()].filter((own) => new Set(own.map((row) => row.date.slice(0, 13))).size > 1);
    expect(returning.length).toBeGreaterThan(byClient.size / 4);
    for (const own of returning.slice(0, 200)) expect(new Set(own.map((row) => `${row.ip} ${row.user_agent ?? ''}`)).size).toBe(1);
    const passedClients = [...byClient.values()].filter(
      (own) => own.some((row) => row.type === 'receive') && own.some((row) => row.type === 'create'),
    );
    expect(passedClients.length).toBeGreaterThan(500);
  });

  it('has rows of about 650 bytes', () => {
    const mean = JSON.stringify(rows).length / rows.length;
    expect(mean).toBeGreaterThan(550);
    expect(mean).toBeLessThan(780);
  });
});

describe('simulated live traffic', () => {
  it('makes exactly as many rows as asked, in order of time and inside it', () => {
    const live = createLiveTraffic({ seed: 'a', apps, former: createHistory(plan, apps).recentClient });
    let from = until;
    const liveRows: EventRow[] = [];
    for (const count of [1, 0, 7, 300, 3]) {
      const batch = live.rows(count, from, from + 1_000_000);
      expect(batch).toHaveLength(count);
      const times = batch.map((row) => row.date);
      expect(times).toEqual([...times].sort((a, b) => a.localeCompare(b)));
      liveRows.push(...batch);
      from += 1_000_000;
    }
    expect(liveRows.every((row) => Date.parse(row.date) * 1000 >= until - 1000 && Date.parse(row.date) * 1000 < from)).toBe(true);
    expect(z.array(ingestedEvent).safeParse(liveRows).success).toBe(true);
  });

  it('plays the whole visit of a client as time passes', () => {
    const live = createLiveTraffic({ seed: 'b', apps });
    const allRows = Array.from({ length: 900 }, (_, second) =>
      live.rows(4, until + second * 1_000_000, until + (second + 1) * 1_000_000),
    ).flat();
    expect(new Set(allRows.map((row) => row.type))).toEqual(new Set(requestTypes));
    const tracks = allRows.filter((row) => row.type === 'track').length;
    expect(tracks / allRows.length).toBeGreaterThan(0.25);
  });
});

describe('what the simulator is made of', () => {
  it('follows the day in the offset of the server, once on average', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => hour * 3_600_000_000);
    expect(hours.reduce((sum, at) => sum + busyness(at, '+00:00'), 0)).toBeCloseTo(24);
    expect(busyness(hours[18] ?? 0, '+02:00')).toBe(busyness(hours[20] ?? 0, '+00:00'));
    expect(busyness(hours[20] ?? 0, '+00:00')).toBeGreaterThan(2 * busyness(hours[4] ?? 0, '+00:00'));
  });

  it('has addresses that the GeoIP data places in their country', () => {
    const path = createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');
    const countryReader = new Reader<CountryResponse>(readFileSync(path));
    const countryOf = (ip: string) => z.object({ country_code: z.string() }).safeParse(countryReader.get(ip)).data?.country_code;
    const random = seededRandom('addresses');
    for (const country of clientCountries) {
      for (let nth = 0; nth < 60; nth++) {
        const ip = addressIn(country, random);
        expect([ip, countryOf(ip)]).toEqual([ip, country.code]);
      }
    }
  });

  it('makes UUIDs of version 7 that carry their moment', () => {
    const id = uuidV7(until, seededRandom('ids'));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(until / 1000);
  });

  it('chooses evenly, by weight and again the same', () => {
    const random = seededRandom('dice', 1);
    const throws = Array.from({ length: 6_000 }, () => random.integer(1, 6));
    for (let face = 1; face <= 6; face++) expect(throws.filter((result) => result === face).length).toBeGreaterThan(880);
    const picks = Array.from(
      { length: 4_000 },
      () =>
        random.pickWeighted([
          { weight: 3, is: 'often' },
          { weight: 1, is: 'rare' },
        ]).is,
    );
    expect(picks.filter((is) => is === 'rare').length / 4_000).toBeCloseTo(0.25, 1);
    expect(seededRandom('dice', 1).integer(1, 6)).toBe(throws[0]);
    expect(() => random.pick([])).toThrow('Nothing to choose from.');
  });
});
