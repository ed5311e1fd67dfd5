import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { composedRules } from './composed-rules.ts';

/** The API the development server forwards to; `npm run dev` starts it there. */
const api = 'http://127.0.0.1:3000';

const manifestFile = join(import.meta.dirname, '../../package.json');

/** Code that screens share, as far as it is no screen's own, and the styles of the frame that every page has. */
const shared = /node_modules[\\/]|src[\\/]shared[\\/]|packages[\\/]contract[\\/]|src[\\/]shell[\\/].+\.css/;

/** Puts the product's own licence beside those of what it is made of, where the about box leads. */
const ownLicence: Plugin = {
  name: 'own-licence',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licence.txt', source: readFileSync(join(import.meta.dirname, '../../LICENSE')) });
  },
};

/** The contract reads the version from the manifest of the installation; the browser needs nothing else of it. */
const versionOfManifest: Plugin = {
  name: 'version-of-manifest',
  apply: 'build',
  load(id) {
    if (id !== manifestFile) return null;
    const { version } = JSON.parse(readFileSync(manifestFile, 'utf8'));
    return JSON.stringify({ version });
  },
};

/**
 * Every schema of zod can describe itself as a JSON schema. Only the server asks for that, so the browser does not load
 * the code, a quarter of the library.
 */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
    handler: (code) =>
      code
        .replace(/import \* as processors from .+/, 'const processors = {};')
        .replace(
          /import \{ createStandardJSONSchemaMethod.+/,
          'const createStandardJSONSchemaMethod = () => {}, createToJSONSchemaMethod = () => {};',
        ),
  },
};

/**
 * Describes no call: only the server reads what OpenAPI says about one, which errors it rejects with, and when it needs a recent sign-in.
 */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /packages[\\/]contract[\\/]src[\\/].+\.ts$/ },
    // With two blanks of indentation these are properties of the call itself.
    handler: (code) =>
      code.replaceAll(/(?<=defineEndpoint\(\{\n)(?:  .*\n)+(?=\}\))/g, (properties) =>
        properties.replaceAll(/^ {2}(?:summary|recentSignIn|rejections|validatesValues): .+,\n/gm, ''),
      ),
  },
};

/**
 * Draws each icon as one path instead of up to ten. A page of rows has hundreds of icons, and every path is an element to create, style and
 * lay out. Paths with attributes of their own stay apart.
 */
const iconsOfOnePath: Plugin = {
  name: 'icons-of-one-path',
  apply: 'build',
  transform: {
    filter: { id: /@tabler[\\/]icons-react[\\/].+[\\/]Icon\w+\.mjs$/ },
    handler: (code) => code.replaceAll(/(?<=\["path", \{ "d": "[^"]+)", "key": "[^"]+" \}\], \["path", \{ "d": "(?=M[^"]+", "key")/g, ''),
  },
};

/**
 * Names the fonts of Latin text in the page. Otherwise the browser finds them once the style sheets have loaded and a text uses them: it
 * draws that text twice, and a list measures its columns twice. The one of fixed width is for `public/before-paint.js`.
 */
const namedFonts: Plugin = {
  name: 'named-fonts',
  apply: 'build',
  transformIndexHtml(_html, { bundle = {}, filename }) {
    if (filename.endsWith('query-frame.html')) return [];
    const addressOf = (font: RegExp) => `/${Object.keys(bundle).find((file) => font.test(file))}`;
    const inter = addressOf(/inter-latin-wght-normal-.*\.woff2$/);
    const fixedWidth = addressOf(/jetbrains-mono-latin-wght-normal-.*\.woff2$/);
    return [
      { tag: 'meta', attrs: { name: 'fixed-width-font', content: fixedWidth }, injectTo: 'head-prepend' },
      { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: inter }, injectTo: 'head' },
    ];
  },
};

/** Compresses scripts and styles once, as well as can be: an answer that is compressed while it is sent is a fifth larger. */
const compressedAssets: Plugin = {
  name: 'compressed-assets',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle).filter(({ fileName }) => /^assets\/.+\.(?:js|css)$/.test(fileName));
    await Promise.all(
      files.map(async (file) => {
        const text = file.type === 'chunk' ? file.code : file.source;
        await writeFile(join(dir, `${file.fileName}.br`), await promisify(brotliCompress)(text));
      }),
    );
  },
};

export default defineConfig({
  // Paths are given from this file, so that a build may be started from any folder.
  root: import.meta.dirname,
  plugins: [react(), ownLicence, versionOfManifest, withoutJsonSchema, withoutDescriptions, iconsOfOnePath, namedFonts, compressedAssets],
  css: { postcss: { plugins: [composedRules] } },
  build: {
    outDir: 'dist',
    // Names what each page loads; tools/scripts/bundle-size.ts weighs it.
    manifest: true,
    // The licence texts of everything in the bundle, which most of them ask to be passed on.
    license: { fileName: 'licences.txt' },
    target: 'es2023',
    // Every asset stays a file of its own: the content policy allows no data: fonts, and icons are cached apart.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Browsers of this target preload modules themselves; the frame below must not share a file with the console.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The console, and the frame from which the developer page sends (docs/decisions/0016-query-frame.md).
      input: ['index.html', 'query-frame.html'],
      output: {
        codeSplitting: {
          groups: [
            // The chunk that loads zod first sets it up first: in a shared chunk main.tsx would come too late.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|src[\\/]zod-setup/ },
            // Changes only when a dependency does, so browsers keep it over releases.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|react-query|query-core))[\\/]/,
            },
            // A screen asks for 27 files instead of 85, and joined they compress better: what every page loads at once,
            // what the sign-in page adds to it, what most screens use.
            { name: 'console', test: shared, tags: ['$initial'] },
            {
              name: 'sign-in',
              test: /[\\/](TextInput|PasswordInput|use-uncontrolled|wordmark|navigation|use-session|use-document-title|account-rules|account-links|new-password|failure-text|second-step|passkey|password-help|landing|IconLock|IconAlertCircle|IconFingerprint)[\\/.]/,
            },
            {
              name: 'kit',
              test: /node_modules[\\/](?!dayjs|@mantine[\\/]dates|.*(color-scheme|[\\/]Tabs|get-safe-id|use-force-update))/,
              minShareCount: 5,
            },
            // Bulk changes, alerts and forms stay apart: lists of events do without, and their page is the heaviest one.
            {
              name: 'screens',
              test: /src[\\/]shared[\\/](?!bulk|alerts|charts|entities|marks|form[\\/](?!dialog-form|limited)|page[\\/](route-tabs|tab-names)|listing[\\/](selection|use-selection)|ui[\\/](date-picker|short-rows)|listing[\\/]day-filters)|packages[\\/]contract[\\/](?!src[\\/](bulk|alerts|channels|marks))/,
              minShareCount: 5,
            },
            // One file for what the pages with forms share.
            {
              name: 'forms',
              test: /src[\\/]shared[\\/](entities|form[\\/](?!dialog-form|limited)|ui[\\/]short-rows)/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // One file for what lists that follow their rows share.
            {
              name: 'live',
              test: /src[\\/](traffic[\\/]live[\\/]|shared[\\/]api[\\/]read-events|request-streams)|node_modules[\\/]eventsource-parser/,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // One file for what the pages of logs share.
            {
              name: 'logs',
              test: /[\\/](log-viewer[\\/](entry-grid|entry-link|entry-parts|log-actions|log-source|reading-progress)|Mark|get-mark-color)\./,
              includeDependenciesRecursively: false,
            },
            // One file for what screens share with the frame around them, and for small parts of the heaviest screens.
            {
              name: 'frame',
              test: /[\\/](own-factors|data-sources|sign-out|use-prompt-value|request-id|collapsible-panel|known-systems-note|shell[\\/]menu|use-open-request|IconEyeOff|use-(computed|mantine)-color-scheme)\./,
              includeDependenciesRecursively: false,
            },
            // One file for the icons of a few screens, which would each be a file of their own.
            {
              name: 'icons',
              test: /[\\/]Icon(Equal|ArrowDownRight|ArrowBackUp|MapOff|FileOff|BellOff|Link|EyeOff)\./,
              includeDependenciesRecursively: false,
            },
            // One file for what Home, the menu and the pages of alerts share.
            {
              name: 'alerts',
              test: /src[\\/]shared[\\/]alerts|contract[\\/]src[\\/](alerts|channels)/,
              includeDependenciesRecursively: false,
            },
            // The addresses of all flags, which most screens do without.
            {
              name: 'countries',
              test: /country-flag-icons|src[\\/]shared[\\/]countries/,
              priority: 1,
              includeDependenciesRecursively: false,
            },
            // Only lists with days to choose need it.
            { name: 'calendar', test: /[\\/](@mantine[\\/]dates|dayjs|date-picker|day-filters)[\\/.]/ },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': api, '/dev-frame': api } },
});
