import { alertKindNames, alertKinds, visibleKinds } from '@switchyard/contract/alerts';
import { describe, expect, it } from 'vitest';
import { incidentPermissions } from '../../shell/route-table.ts';
import { incidentPlaces } from './incident-places.ts';

const incident = {
  app: { id: 12, name: 'Lucky Bet' },
  server: { id: 3, name: 'edge-1' },
  started_at: '2026-11-20 10:00:00',
  window: { from: '2026-11-20 07:00:00', until: '2026-11-20 10:00:00' },
  compared: null,
  request_filter: '',
};
const compared = { from: '2026-11-13 07:00:00', until: '2026-11-13 10:00:00' };
const hrefs = (kind: (typeof alertKindNames)[number], ...permissions: string[]): string[] =>
  incidentPlaces({ ...incident, compared: kind === 'create_drop' ? compared : null, rule: { kind } }, permissions).map(({ href }) => href);

describe('pages that an incident leads to', () => {
  it('[ALERT-102] are the requests of the hours that it is about, in the list that the reader may open', () => {
    expect(hrefs('error_share', 'manager_app_edit', 'manager_app_requests')).toEqual([
      '/apps/12/edit?startTabName=Event&type=error&startDate=2026-11-20+07%3A00%3A00&endDate=2026-11-20+09%3A59%3A59.999999',
      '/apps/12/edit?startTabName=General',
    ]);
    expect(hrefs('create_drop', 'manager_app_all_requests')).toEqual([
      '/requests?appId=12&type=create&startDate=2026-11-20+07%3A00%3A00&endDate=2026-11-20+09%3A59%3A59.999999',
      '/requests?appId=12&type=create&startDate=2026-11-13+07%3A00%3A00&endDate=2026-11-13+09%3A59%3A59.999999',
    ]);
    const filtered = { ...incident, request_filter: 'geo=DE&streamUid%5B%5D=a%2Cb', rule: { kind: 'error_share' as const } };
    expect(incidentPlaces(filtered, ['manager_app_all_requests']).map(({ href }) => href)).toEqual([
      '/requests?appId=12&geo=DE&streamUid%5B%5D=a%2Cb&type=error&startDate=2026-11-20+07%3A00%3A00&endDate=2026-11-20+09%3A59%3A59.999999',
    ]);
  });

  it('[ALERT-102] are those of a server, an app that is not edited, the activity and the log', () => {
    expect(hrefs('server_silent', 'manager_settings_server')[0]).toBe('/servers/3/edit');
    expect(hrefs('domain_expiry', 'manager_app_create')).toEqual(['/apps?search=Lucky+Bet']);
    expect(hrefs('ban_list_changed', 'manager_user_activity')[0]).toBe(
      '/activity?entity=asn&entity=black_ip&startDate=2026-11-20+07%3A00%3A00&endDate=2026-11-20+09%3A59%3A59.999999',
    );
    expect(hrefs('job_failed', 'manager_dev_logs')[0]).toBe('/logs/2026-11-20/show');
  });

  it('[ALERT-102] are none that the reader may not open', () => {
    for (const kind of alertKindNames) expect(hrefs(kind)).toEqual([]);
  });
});

it('[ALERT-109] the page of incidents is open to whoever may see some kind', () => {
  const needed = new Set(alertKindNames.flatMap((kind): readonly string[] => alertKinds[kind].needs));
  expect(new Set<string>(incidentPermissions)).toEqual(needed);
  expect(visibleKinds(['manager_settings_server'])).toEqual(['server_silent']);
});
