import { reportQuery } from '@switchyard/contract/reports';
import { readQuery } from '@switchyard/contract/listing';
import { describe, expect, it } from 'vitest';
import { listLinks, valueLink } from './report-links.ts';

const heldPermissions = ['manager_app_all_requests', 'manager_app_edit', 'manager_app_pushes', 'manager_app_conversions'];
const days = 'startDate=2026-11-14&endDate=2026-11-20';
const others = ['create', 'receive', 'token', 'track', 'proxy', 'static'].map((type) => `typeNot=${type}`).join('&');

function place(search: string) {
  const query = reportQuery.parse(readQuery(search));
  return {
    query,
    offset: '+02:00',
    report: { group_by: query.groupBy ?? ['day'], from: '2026-11-14', to: '2026-11-20' },
    permissions: heldPermissions,
  };
}
const keys = (...values: string[]) => values.map((value) => ({ value, name: null }));

describe('lists that a report leads to', () => {
  it('[REP-019] carry the types that the measures count', () => {
    const menu = (search: string, ...values: string[]) => listLinks(place(search), keys(...values)).map(({ path }) => path);
    expect(menu('groupBy=country&measure=create', 'BR')).toEqual([`/requests?geo=BR&type=create&${days}`]);
    expect(menu('groupBy=country&measure=create,track_success', 'BR')).toEqual([`/requests?geo=BR&type=create&type=track&${days}`]);
    expect(menu('groupBy=country&measure=create,requests', 'BR')).toEqual([`/requests?geo=BR&${days}`]);
    expect(menu('groupBy=app&measure=pushes', '12')).toEqual(['/apps/12/edit?startTabName=Push&startDate=2026-11-14&endDate=2026-11-20']);
    expect(menu('groupBy=app&measure=pushes', '')).toEqual([]);
  });

  it('[REP-019] show exactly what a value counts, or are not offered', () => {
    const value = (search: string, column: string, ...values: string[]) => valueLink(place(search), keys(...values), column);
    expect(value('groupBy=country', 'requests', 'BR')).toBe(`/requests?geo=BR&${days}`);
    expect(value('groupBy=country&measure=requests,create', 'create', 'BR')).toBe(`/requests?geo=BR&type=create&${days}`);
    expect(value('groupBy=country', 'bots', 'BR')).toBeNull();
    expect(value('groupBy=country&measure=create_success', 'create_success', 'BR')).toBeNull();
    expect(value('groupBy=vertical', 'requests', 'bet')).toBeNull();
    expect([value('groupBy=server', 'requests', '3'), value('groupBy=country&serverId=3', 'requests', 'BR')]).toEqual([null, null]);
    expect(value('groupBy=country&type=create&within[]=type%3Derror', 'requests', 'BR')).toBeNull();
    const hour = 'startDate=2026-11-20+00%3A00%3A00.000000&endDate=2026-11-20+00%3A59%3A59.999999';
    expect(value('groupBy=date_hour', 'requests', '2026-11-20 02')).toBe(`/requests?${hour}`);
    expect(value('groupBy=date_hour,day', 'requests', '2026-11-20 02', '2026-11-20')).toBe(`/requests?${hour}`);
    expect(listLinks(place('groupBy=app,date_hour&measure=pushes'), keys('12', '2026-11-20 02'))).toEqual([]);
    // The filter error also finds requests of other types with an error, which a report counts under their own type.
    expect(value('groupBy=country&measure=error', 'error', 'BR')).toBe(`/requests?geo=BR&type=error&${others}&${days}`);
    expect(value('groupBy=type', 'requests', 'error')).toBe(`/requests?type=error&${others}&${days}`);
    expect(value('groupBy=type&type=error', 'requests', 'create')).toBeNull();
    expect(value('groupBy=type&measure=requests,create', 'create', 'track')).toBeNull();
  });

  it('[REP-052, REP-064] are the tabs of an app for its pushes and conversions, by status where the list filters by it', () => {
    const value = (search: string, column: string, ...values: string[]) => valueLink(place(search), keys(...values), column);
    const tab = (name: string) => `/apps/12/edit?startTabName=${name}&startDate=2026-11-14&endDate=2026-11-20`;
    expect(value('groupBy=app', 'pushes', '12')).toBe(tab('Push'));
    expect(value('groupBy=app', 'conversions', '12')).toBe(tab('Conversion'));
    const successes = '/apps/12/edit?startTabName=Conversion&status=success&startDate=2026-11-14&endDate=2026-11-20';
    expect(value('groupBy=app', 'conversions_success', '12')).toBe(successes);
    expect(value('groupBy=app', 'conversions:success', '12')).toBe(successes);
    expect(value('groupBy=day&appId=12', 'pushes', '2026-11-15')).toBe(
      '/apps/12/edit?startTabName=Push&startDate=2026-11-15&endDate=2026-11-15',
    );
    expect(value('groupBy=country&appId=12', 'conversions', 'BR')).toBe(`${tab('Conversion')}&geo=BR`);
    expect(value('groupBy=app&botNot=blocking', 'pushes', '12')).toBe(`${tab('Push')}&botNot=blocking`);
    // Of one kind, however it is chosen.
    const deposits = '/apps/12/edit?startTabName=Conversion&statusConversion=deposit&startDate=2026-11-14&endDate=2026-11-20';
    expect(value('groupBy=app', 'conversions_of:deposit', '12')).toBe(deposits);
    expect(value('groupBy=status_conversion&appId=12', 'conversions', 'deposit')).toBe(deposits);
    expect(value('groupBy=app&statusConversion=deposit', 'conversions', '12')).toBe(deposits);
    expect(value('groupBy=app&statusConversion=install,deposit', 'conversions_of:deposit', '12')).toBe(deposits);
    expect(value('groupBy=status_conversion&appId=12', 'conversions', 'a,b')).toBe(
      deposits.replace('statusConversion=deposit', 'statusConversion%5B%5D=a%2Cb'),
    );
    // Pushes have no filter by status, and neither list one by hour or stream.
    const without = [
      ['groupBy=app', 'pushes:sent', '12'],
      ['groupBy=app', 'pushes_success', '12'],
      ['groupBy=app', 'conversions:', '12'],
      ['groupBy=app', 'conversions_valid', '12'],
      ['groupBy=app', 'conversions_valid_of:deposit', '12'],
      ['groupBy=app', 'payout_of:deposit', '12'],
      ['groupBy=app&statusConversion=install,deposit', 'conversions', '12'],
      ['groupBy=app&statusConversionNot=install', 'conversions', '12'],
      ['groupBy=app&statusConversion=deposit', 'pushes', '12'],
      ['groupBy=country&statusConversion=deposit', 'requests', 'BR'],
      ['groupBy=app', 'payout', '12'],
      ['groupBy=country', 'pushes', 'BR'],
      ['groupBy=stream&appId=12', 'conversions', 's1'],
      ['groupBy=date_hour&appId=12', 'pushes', '2026-11-20 02'],
    ] as const;
    for (const [search, column, key] of without) expect([column, value(search, column, key)]).toEqual([column, null]);
  });
});
