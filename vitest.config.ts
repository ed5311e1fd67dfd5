import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One more than the cores: a third of the time, tests wait for processes and clocks.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/*.test.ts', 'bench/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.browser.test.tsx'],
          // One PostgreSQL for the whole run; each file gets a database of its own.
          globalSetup: ['packages/api/test/start-test-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      'vitest.browser.config.ts',
    ],
  },
});
