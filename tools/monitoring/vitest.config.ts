import { defineConfig } from 'vitest/config';

/** Metrics, alerts and dashboard, checked by Prometheus itself. */
export default defineConfig({
  test: { name: 'monitoring', include: ['tools/monitoring/*.test.ts'], testTimeout: 60_000, reporters: ['verbose'] },
});
