import { defineConfig } from 'vitest/config';

/** The console in an installed Firefox, with the real server and its demo. */
export default defineConfig({
  test: {
    name: 'firefox',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 300_000,
    reporters: ['verbose'],
  },
});
