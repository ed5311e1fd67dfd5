import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest on two cores, the slowest first. Begun last, one of them would keep a single core busy at the end. */
export const slowFiles = [
  'packages/api/src/cli/rotate-key.db.test.ts',
  'packages/api/src/cli/start.db.test.ts',
  'tools/bench/bench.test.ts',
  'packages/api/src/demo/demo-access.db.test.ts',
  'packages/traffic-store/src/copy/move-events.db.test.ts',
  'packages/traffic-store/src/event-store.db.test.ts',
  'packages/traffic-store/src/event-counts.db.test.ts',
  'packages/api/src/features/bulk/bulk-accounts.http.test.ts',
  'packages/api/src/http/conformance.http.test.ts',
  'packages/traffic-store/src/clickhouse/projections.db.test.ts',
  'packages/api/src/features/bulk/bulk-faults.http.test.ts',
  'packages/traffic-store/src/event-lists.db.test.ts',
  'packages/api/src/features/app-domains/link-jobs.http.test.ts',
  'packages/api/src/features/bulk/bulk-apps.http.test.ts',
  'packages/api/src/cli/check.db.test.ts',
  'packages/traffic-store/src/tail/interrupted-streams.db.test.ts',
  'packages/api/src/features/mailed-links/account-links.http.test.ts',
  'packages/api/src/http/access-matrix.http.test.ts',
  'packages/traffic-store/src/tail/follow-events.db.test.ts',
  'packages/api/src/several-processes.db.test.ts',
  'packages/traffic-store/src/event-export.db.test.ts',
  'packages/api/src/features/channels/channels.http.test.ts',
];

type TestFile = Pick<TestSpecification, 'moduleId'>;

function placeOf({ moduleId }: TestFile): number {
  const place = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? slowFiles.length : place;
}

/** Compares two files by their places in the list; those that are not in it are equal and last. */
export function bySlowness(one: TestFile, other: TestFile): number {
  return placeOf(one) - placeOf(other);
}

/** Begins with the slow files. The others and the files of a shard are as Vitest chooses them. */
export default class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted(bySlowness);
  }
}
