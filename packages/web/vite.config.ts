import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API the development server forwards to; `npm run dev` starts it there. */
const api = 'http://127.0.0.1:3000';

export default defineConfig({
  // Paths are given from this file, so that a build may be started from any folder.
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    // Names what each page loads; scripts/bundle-size.ts weighs it.
    manifest: true,
    target: 'es2023',
    // Every asset stays a file of its own: the content policy allows no data: fonts, and icons are cached apart.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Whoever loads zod first sets it up first: in a shared chunk main.tsx would come too late.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|src[\\/]zod-setup/ },
            // Changes only when a dependency does, so browsers keep it over releases.
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|react-query|query-core))[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': api } },
});
