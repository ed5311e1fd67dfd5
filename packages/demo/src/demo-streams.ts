import { demoAccounts } from './demo-accounts.ts';
import { demoApps, type DemoApp } from './demo-apps.ts';
import { seededRandom, type Random } from './seeded-random.ts';

/** A buyer's stream into an app; days count back from the day the demo is loaded. */
export type DemoStream = {
  uid: string;
  bundle: string;
  buyerEmail: string;
  name: string;
  countries: readonly string[];
  offer: string | null;
  levelCloaking: string | null;
  createdDaysAgo: number;
  updatedDaysAgo: number;
  isQa: boolean;
  /** Share of its app's traffic relative to the app's other streams. */
  weight: number;
};

const markets = [
  { countries: ['BR'], weight: 14 },
  { countries: ['IN'], weight: 12 },
  { countries: ['DE'], weight: 10 },
  { countries: ['PL'], weight: 9 },
  { countries: ['TR'], weight: 7 },
  { countries: ['MX', 'CL', 'PE'], weight: 7 },
  { countries: ['DE', 'AT', 'CH'], weight: 6 },
  { countries: ['UA'], weight: 6 },
  { countries: ['IT'], weight: 5 },
  { countries: ['ES', 'PT'], weight: 5 },
  { countries: ['NG', 'ZA'], weight: 4 },
  { countries: ['ID', 'PH', 'VN'], weight: 4 },
  { countries: ['GB', 'CA', 'AU'], weight: 3 },
  { countries: ['CZ', 'RO'], weight: 2 },
] as const;
const sources = ['organic', 'push', 'social', 'video', 'native', 'in-app', 'search', 'influencers'] as const;
const levels = [null, null, 'low', 'medium', 'high'] as const;

const buyers = demoAccounts.filter((account) => account.panel === 'buyer' && !account.isQa).map((account) => account.email);
const testers = demoAccounts.filter((account) => account.isQa).map((account) => account.email);

/** About 120 streams: the more traffic an app has the more streams, and every fourth app a tester's. */
export const demoStreams: readonly DemoStream[] = demoApps.flatMap((app, index) => {
  const random = seededRandom('streams', app.bundle);
  const count = app.weight === 0 ? 0 : Math.round(0.8 + Math.sqrt(app.weight) * 0.8);
  const own = Array.from({ length: count }, () => buyerStream(app, random));
  return index % 4 === 1 && count > 0 ? [...own, testStream(app, random)] : own;
});

function buyerStream(app: DemoApp, random: Random): DemoStream {
  const { countries } = random.pickWeighted(markets);
  const source = random.pick(sources);
  const suffix = random.chance(0.15) ? ` retargeting wave ${random.integer(2, 6)}` : '';
  return stream(app, random, {
    buyerEmail: random.pick(buyers),
    name: `${countries.join('/')} ${source}${suffix}`,
    countries,
    isQa: false,
    weight: random.integer(2, 10),
  });
}

function testStream(app: DemoApp, random: Random): DemoStream {
  const buyerEmail = random.pick(testers);
  return stream(app, random, { buyerEmail, name: 'QA smoke test', countries: ['DE'], isQa: true, weight: 1 });
}

function stream(
  app: DemoApp,
  random: Random,
  fields: Pick<DemoStream, 'buyerEmail' | 'name' | 'countries' | 'isQa' | 'weight'>,
): DemoStream {
  const createdDaysAgo = random.integer(16, 300);
  return {
    ...fields,
    uid: `st_${random.hex(8)}`,
    bundle: app.bundle,
    offer: random.chance(0.85) ? `https://offers.example/${app.domain.replace('.example', '')}/${random.hex(6)}` : null,
    levelCloaking: random.pick(levels),
    createdDaysAgo,
    updatedDaysAgo: random.integer(0, createdDaysAgo),
  };
}

/** Which buyers may use which app: those with a stream there, and a few more. */
export function demoBuyerApps(): { bundle: string; buyerEmail: string }[] {
  return demoApps.flatMap((app) => {
    const random = seededRandom('buyers', app.bundle);
    const withStream = demoStreams.filter((one) => one.bundle === app.bundle).map((one) => one.buyerEmail);
    const others = buyers.filter(() => random.chance(0.2));
    return [...new Set([...withStream, ...others])].map((buyerEmail) => ({ bundle: app.bundle, buyerEmail }));
  });
}
