import { describe, expect, it } from 'vitest';
import { appModes, appStatuses, cloakModes, responseModes } from './apps.ts';
import { breakpoints, cuts, expiryWarning, jsonCollapseDepth, productVersion, spans, tableHeight } from './limits.ts';
import { defaultOffset } from './server-time.ts';

describe('constants of the specification', () => {
  it.each([
    ['CONST-001', breakpoints.mobileMax, 767],
    ['CONST-002', breakpoints.appsMobile, 768],
    ['CONST-003', breakpoints.desktopMin, 1140],
    ['CONST-004', expiryWarning.nearHours, 336],
    ['CONST-005', expiryWarning.domainHours, 7 * 24],
    ['CONST-007', defaultOffset, '+00:00'],
    ['CONST-009', spans.serverNotice, 10_000],
    ['CONST-010', spans.validationDebounce, 500],
    ['CONST-012', spans.sessionCheck, 300_000],
    ['CONST-013', cuts.appName, 28],
    ['CONST-014', cuts.hoverLabel, 22],
    ['CONST-018', tableHeight, { margin: 36, minimum: 300 }],
    ['CONST-021', appModes, ['default', 'push_only', 'one_request_url']],
    ['CONST-022', responseModes, ['white', 'custom']],
    ['CONST-024', cloakModes, ['default', 'none', 'custom', 'magic_checker']],
    ['CONST-026', appStatuses, ['active', 'deleted', 'all']],
    ['CONST-028', productVersion, '1.2.14'],
    ['CONST-040', cuts.streamName, { from: 25, to: 22 }],
    ['CONST-041', cuts.serverName, 33],
    ['CONST-042', cuts.region, 15],
    ['CONST-043', cuts.asnDescription, 200],
    ['CONST-044', cuts.blackIpReason, 400],
    ['CONST-045', jsonCollapseDepth, 4],
  ])('[%s] has the specified value', (_id, value, expected) => {
    expect(value).toEqual(expected);
  });
});
