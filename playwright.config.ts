import { defineConfig } from '@playwright/test';
import { findBrowser } from './tools/console/find-browser.ts';

/** End-to-end tests of the built console on the real server. `tools/console/global-setup.ts` starts both. */
export default defineConfig({
  testDir: 'tools/e2e',
  testMatch: '*.spec.ts',
  // It has to stop a ClickHouse.
  testIgnore: process.env['EVENT_STORE'] === 'clickhouse' ? [] : ['event-store-outage.spec.ts'],
  outputDir: 'test-results',
  globalSetup: './tools/console/global-setup.ts',
  fullyParallel: true,
  // One more than the cores of CI: with two, a sixth of the time is idle.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Tests must not depend on how long a panel slides.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      executablePath: await findBrowser(),
      args: [
        // Chromium refuses its sandbox to root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // Threads for compiling and collecting cost a tenth of the processor time where all cores are busy already.
        '--js-flags=--single-threaded',
      ],
    },
  },
});
