import { demoApps } from '@switchyard/demo/demo-apps';
import { expect, it } from 'vitest';
import { appRow } from './demo-rows.ts';

const now = new Date('2026-11-20T10:00:00Z');

it('gives apps of the demo cloak ids in the form that their mode asks for', () => {
  for (const [index, app] of demoApps.entries()) {
    const id = appRow(app, index, now).adspect_cloak;
    if (app.cloakMode === 'custom') expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    else if (app.cloakMode === 'magic_checker') expect(id).toMatch(/^[0-9a-f]{32}$/);
    else expect(id).toBeNull();
  }
});
