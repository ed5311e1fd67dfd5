import { defineConfig } from 'vitest/config';

/** The artefacts of `npm run release:build`, and docs/production.md, where there is neither npm nor a network. `npm run test:release` calls it. */
export default defineConfig({
  test: {
    name: 'release',
    root: import.meta.dirname,
    include: ['artefacts.test.ts', 'production.test.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 300_000,
    reporters: ['verbose'],
  },
});
