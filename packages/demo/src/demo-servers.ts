import type { linkStatuses } from '@switchyard/contract/apps';
import { demoApps } from './demo-apps.ts';
import { seededRandom } from './seeded-random.ts';

/** A traffic server of the demo; addresses are from the blocks kept for documentation (RFC 5737). */
export type DemoServer = { name: string; url: string; region: string; ip: string };

export const demoServers: readonly DemoServer[] = [
  { name: 'edge-fra-1', url: 'https://edge-fra-1.example', region: 'eu-central', ip: '203.0.113.20' },
  { name: 'edge-ams-1', url: 'https://edge-ams-1.example', region: 'eu-west', ip: '203.0.113.41' },
  { name: 'edge-waw-1', url: 'https://edge-waw-1.example', region: 'eu-east', ip: '203.0.113.62' },
  { name: 'edge-sao-1', url: 'https://edge-sao-1.example', region: 'sa-east', ip: '198.51.100.17' },
  { name: 'edge-bom-1', url: 'https://edge-bom-1.example', region: 'ap-south', ip: '198.51.100.88' },
  { name: 'edge-nyc-1', url: 'https://edge-nyc-1.example', region: 'us-east', ip: '192.0.2.135' },
];

/** A link of an app's domain to a traffic server; days count from the day the demo is loaded. */
export type DemoLink = {
  bundle: string;
  server: string;
  status: (typeof linkStatuses)[number];
  isBind: boolean;
  sslInDays: number | null;
  registrar: string | null;
  isOnlyCf: boolean;
  error: string | null;
  nextStageInSeconds: number | null;
};

const settledStage = { error: null, nextStageInSeconds: null };
/** State of a link at each stage. `ok` links differ in the remaining time of their certificate. */
const stages: Record<DemoLink['status'], Pick<DemoLink, 'isBind' | 'sslInDays' | 'error' | 'nextStageInSeconds'>> = {
  add: { isBind: false, sslInDays: null, error: null, nextStageInSeconds: 60 },
  bind: { isBind: false, sslInDays: null, error: null, nextStageInSeconds: 90 },
  ssl: { isBind: true, sslInDays: null, error: null, nextStageInSeconds: 120 },
  ok: { isBind: true, sslInDays: 71, ...settledStage },
  err_add: { isBind: false, sslInDays: null, error: 'The server refused the domain: quota of 100 zones reached', nextStageInSeconds: null },
  err_bind: { isBind: false, sslInDays: null, error: 'The domain does not resolve to the server yet', nextStageInSeconds: null },
  err_ssl: {
    isBind: true,
    sslInDays: null,
    error: 'Certificate request failed: too many certificates this week',
    nextStageInSeconds: null,
  },
};
const unsettledStages = ['add', 'bind', 'ssl', 'err_add', 'err_bind', 'err_ssl'] as const;
const registrars = ['Namecheap', 'GoDaddy', 'Porkbun', 'Gandi', 'Dynadot'] as const;

/** Most apps are linked to one to three servers, and every stage of a link occurs. */
export function demoLinks(): DemoLink[] {
  return demoApps.flatMap((app, index) => {
    const random = seededRandom('links', app.bundle);
    const first = random.integer(0, demoServers.length - 1);
    const registrar = random.pick(registrars);
    return Array.from({ length: index % 9 === 8 ? 0 : random.integer(1, 3) }, (_, nth): DemoLink => {
      const status = nth === 0 && index % 5 === 3 ? (unsettledStages[Math.floor(index / 5) % unsettledStages.length] ?? 'add') : 'ok';
      const sslInDays = status === 'ok' ? random.pick([71, 71, 55, 34, 9, 3]) : stages[status].sslInDays;
      const isOnlyCf = random.chance(0.2);
      return {
        bundle: app.bundle,
        server: demoServers[(first + nth * 2) % demoServers.length]?.name ?? '',
        registrar,
        isOnlyCf,
        ...stages[status],
        sslInDays,
        status,
      };
    });
  });
}
