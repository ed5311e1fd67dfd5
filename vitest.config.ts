import { defineConfig } from 'vitest/config';
import SlowFilesFirst from './tools/scripts/slow-files-first.ts';

export default defineConfig({
  test: {
    // One more than the cores: a third of the time, tests wait for processes and clocks.
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'tools/scripts/*.test.ts', 'tools/{bench,release}/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.browser.test.tsx', 'tools/release/{artefacts,production}.test.ts'],
          // Files share a worker's modules: loading the API again for each took a third of the processor time.
          isolate: false,
          // One PostgreSQL and one ClickHouse for the whole run; each file gets a database of its own.
          globalSetup: ['packages/api/test/start-test-postgres.ts', 'packages/api/test/start-test-clickhouse.ts'],
          setupFiles: ['packages/api/test/end-each-file.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Quick results cost nothing. A loaded machine takes its time.
          expect: { poll: { timeout: 30_000, interval: 20 } },
        },
      },
      'vitest.browser.config.ts',
    ],
  },
});
