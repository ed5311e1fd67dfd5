import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineProject } from 'vitest/config';
import { composedRules } from './packages/web/composed-rules.ts';
import { findBrowser } from './tools/console/find-browser.ts';
import contract from './packages/contract/package.json' with { type: 'json' };
import manifest from './packages/web/package.json' with { type: 'json' };

const web = `${import.meta.dirname}/packages/web`;

/** Files of the packages for styles and assets, which no code imports. */
const notCode = new Set([
  '@switchyard/contract',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  'country-flag-icons',
]);

/** Tests get stores that can be reset, because all files share a page and its modules. */
const resettableStores: Plugin = {
  name: 'resettable-stores',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source.endsWith('/external-store.ts') && !importer.startsWith(`${web}/src/testing/`) ? `${web}/src/testing/resettable-stores.ts` : null,
};

/** Components in a real browser, with the console's own theme and styles; the root's configuration runs it. */
export default defineProject({
  root: web,
  plugins: [resettableStores],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  oxc: { jsx: { development: false } },
  css: { postcss: { plugins: [composedRules] } },
  optimizeDeps: {
    // All bundled before the first test: a package found later would reload the page in the middle of one.
    noDiscovery: true,
    include: [
      ...Object.keys({ ...manifest.dependencies, ...contract.dependencies }).filter((name) => !notCode.has(name)),
      'dayjs/plugin/isoWeek.js',
      'dayjs/plugin/utc.js',
      'react/jsx-dev-runtime',
      'react/jsx-runtime',
      'react-dom/client',
      'vitest-browser-react',
      'fast-check',
    ],
  },
  test: {
    name: 'browser',
    include: ['src/**/*.browser.test.tsx'],
    // Loading the console's modules again for each file took a third of the processor time.
    isolate: false,
    // One page at a time: all pages of a browser share the clipboard.
    maxWorkers: 1,
    setupFiles: [`${web}/src/testing/prepare-page.ts`],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A loaded machine takes its time; what never comes still fails before the test's own end.
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          executablePath: await findBrowser(),
          args: [
            // Chromium refuses its sandbox to root.
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            // As in playwright.config.ts.
            '--js-flags=--single-threaded',
          ],
        },
        contextOptions: {
          // Tests must not depend on how long a popup fades; those about motion ask for it.
          reducedMotion: 'reduce',
          permissions: ['clipboard-read', 'clipboard-write'],
        },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 800 } }],
    },
  },
});
