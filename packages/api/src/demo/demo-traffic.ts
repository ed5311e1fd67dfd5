import { demoApps } from './demo-apps.ts';
import { demoStreams } from './demo-streams.ts';
import type { SimulatedApp } from './simulator-clients.ts';

/** The demo's apps as the simulator plays them: those that have traffic, with their streams. */
export function demoTraffic(): SimulatedApp[] {
  return demoApps
    .filter((app) => app.weight > 0)
    .map(({ bundle, domain, weight }) => ({ bundle, domain, weight, streams: demoStreams.filter((stream) => stream.bundle === bundle) }));
}
