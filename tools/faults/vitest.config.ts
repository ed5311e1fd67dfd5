import { defineConfig } from 'vitest/config';

/** Faults that are really made: processes are killed and databases stopped, one file after the other. */
export default defineConfig({
  test: {
    name: 'faults',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // Durations are tested here, so nothing else may run at the same time.
    fileParallelism: false,
    globalSetup: ['../../packages/api/test/start-test-postgres.ts'],
    setupFiles: ['../../packages/api/test/end-each-file.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
