import { defineConfig } from 'vitest/config';

/** Whole installations: several consoles behind HAProxy, PostgreSQL with a standby. One file after the other. */
export default defineConfig({
  test: {
    name: 'cluster',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    // Times are measured here, so nothing else may run beside.
    fileParallelism: false,
    globalSetup: ['../console/debian-programs.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
});
