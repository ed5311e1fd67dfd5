import type { BenchContext } from './bench-context.ts';
import { busiestClient } from './load-events.ts';
import { limitMeasure, type Measure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 60;
/** Milliseconds of a summary and of a page of a timeline. */
const targets = { summary: 50, page: 25 } as const;

/** Summary and timeline of a client, and of its address, that have about 10,000 events. */
export async function measureSubjects({ admin, repeat }: BenchContext): Promise<Measure[]> {
  const [client, address] = [`clients/${busiestClient.uid}`, `addresses/${busiestClient.ip}`];
  const { newest } = (await admin.get(`${client}/timeline`)).body.data;
  let cursor = '';
  const samples = await sampleInTurn(repeat(rounds), {
    client_summary: () => admin.get(client),
    address_summary: () => admin.get(address),
    client_page: () => admin.get(`${client}/timeline`),
    client_next_page: async () => {
      cursor = (await admin.get(`${client}/timeline?cursor=${cursor}`)).body.pagination.next_cursor ?? '';
    },
    client_poll: () => admin.get(`${client}/timeline?after=${newest}`),
    address_page: () => admin.get(`${address}/timeline`),
    unseen_client_page: () => admin.get('clients/nobody/timeline'),
  });
  return Object.entries(samples).map(([name, durations]) =>
    limitMeasure(`${name}_p50`, durations.p50, 'ms', name.endsWith('summary') ? targets.summary : targets.page),
  );
}
