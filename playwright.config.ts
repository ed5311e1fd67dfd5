import { defineConfig } from '@playwright/test';
import { findBrowser } from './tools/console/find-browser.ts';

/** Browser journeys over the built console served by the real server; `tools/console/global-setup.ts` starts both. */
export default defineConfig({
  testDir: 'tools/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './tools/console/global-setup.ts',
  fullyParallel: true,
  workers: 2,
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
      // Chromium refuses its sandbox to root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
