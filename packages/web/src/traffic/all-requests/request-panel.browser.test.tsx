import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import { z } from 'zod';
import { localSettings } from '../../shared/local-settings.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { sampleRequest } from '../../testing/sample-request.ts';
import { sampleDetails, showRequests } from '../testing/show-requests.tsx';
import type { RequestDetails } from '../use-open-request.ts';

/** As lists answer that are not asked for the origin. */
const withoutOrigin = { asn: undefined, server: undefined };
const first = { ...sampleRequest(5), ...withoutOrigin, stream: { uid: 's-17', name: 'Autumn' }, postbacks_domain: 'track.acme.bet' };
const second = { ...sampleRequest(4), type: 'track' as const };
const asn = { code: 13335, name: 'Cloudflare', domain: 'cloudflare.com', is_ban_create: true, is_ban_receive: false };
const blocks: RequestDetails['blocked_by'] = [
  {
    kind: 'address',
    target: '203.0.113.9',
    name: '',
    applies_to: ['create', 'receive'],
    reason: 'Click farm',
    since: { create: '2026-11-18 07:00:00', receive: '2026-11-18 07:00:00' },
    at: '2026-11-19 08:00:00',
    actor: { id: 3, name: 'Pavel' },
  },
  {
    kind: 'asn',
    target: 'AS13335',
    name: 'Cloudflare',
    applies_to: ['create'],
    reason: null,
    since: { create: null, receive: null },
    at: null,
    actor: null,
  },
];
const knownDetails = { ...sampleDetails(first), asn, server: { id: 2, name: 'edge-fra-1' }, blocked_by: blocks };

type ShowOptions = Partial<Parameters<typeof showRequests>[0]>;

function show(options: ShowOptions = {}) {
  return showRequests({
    rows: [first, second],
    address: '/page',
    permissions: ['manager_app_all_requests'],
    details: () => knownDetails,
    ...options,
  });
}

const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true });
/** Until React has drawn what an event did. */
const nextFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const panel = (id = 5) => page.getByRole('complementary', { name: `Request ${id}` });

beforeEach(() => page.viewport(1440, 900));
afterEach(async () => {
  sessionStore.close();
  localStorage.removeItem('switchyard_panel_width');
  await page.viewport(1280, 800);
});

describe('opening a request', () => {
  it('[INV-034] by a click on its row, with or without a body, but not on a control or to select text', async () => {
    await show();
    await page.getByRole('grid').getByRole('button', { name: 'track' }).click();
    await expect.element(page.getByRole('menu')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    const id = cell('4').element();
    getSelection()?.selectAllChildren(id);
    id.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await nextFrames();
    expect(page.getByRole('complementary').elements()).toHaveLength(0);
    getSelection()?.removeAllRanges();
    await cell('4').click();
    await expect.element(panel(4)).toBeVisible();
  });

  it('[INV-035] shows its row at once, then its origin', async () => {
    let answer: (() => void) | undefined;
    const details = (id: number) => (answer === undefined ? undefined : { ...knownDetails, id });
    await show({ details });
    await cell('5').click();
    const facts = (): string[] => [...panel().element().querySelectorAll('dl > div')].map((fact) => fact.textContent);
    await expect
      .poll(facts)
      .toEqual(
        expect.arrayContaining(['Appcom.acme.bet', 'StreamAutumn', 'Client uidc-5', 'Postbacks domaintrack.acme.bet', 'ASN', 'Server']),
      );
    answer = () => undefined;
    await cell('4').click();
    await expect.poll(() => panel(4).element().textContent).toContain('ASNAS13335 CloudflareServeredge-fra-1');
  });

  it.each([
    ['beside the list', 1280],
    ['over the list', 1024],
  ])('[INV-035, WID-082] leaves the columns in their order %s', async (_, width) => {
    await page.viewport(width, 800);
    localSettings.json('panel_width', z.number()).set(960);
    await show();
    await cell('5').click();
    await expect.element(panel()).toBeVisible();
    const names = (): string[] => [...document.querySelectorAll('thead th')].map((head) => head.textContent);
    await expect.poll(names).toEqual(['#', 'App', 'Stream', 'IP', 'Bot', 'Date', 'Req_Type', 'JSON Body']);
    expect(getComputedStyle(panel().element()).position).toBe(width < 1280 ? 'fixed' : 'relative');
  });
});

describe('address of an open request', () => {
  it('[INV-036] follows the panel without a step in the history; filters and sort close it', async () => {
    const history = await show({ address: '/page?geo=DE' });
    const { length } = history;
    await cell('5').click();
    await expect.poll(() => history.location.search).toBe('?geo=DE&request=5');
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(() => history.location.search).toBe('?geo=DE&request=4');
    await page.getByRole('button', { name: 'Close panel' }).click();
    await expect.poll(() => history.location.search).toBe('?geo=DE');
    expect(history.length).toBe(length);
    await cell('5').click();
    await expect.poll(() => history.location.search).toContain('request=5');
    await page.getByRole('button', { name: 'Remove filter Germany' }).click();
    await expect.poll(() => history.location.search).toBe('');
    await expect.element(panel()).not.toBeInTheDocument();
    history.back();
    await expect.element(panel()).toBeVisible();
  });

  it('[REQ-031, INV-036] closes a request that the address does not name yet when a filter changes', async () => {
    const history = await show({ address: '/page?geo=DE' });
    const removal = page.getByRole('button', { name: 'Remove filter Germany' });
    await expect.element(cell('5')).toBeVisible();
    // One right after the other: the address follows a moment later.
    cell('5')
      .element()
      .dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    removal.element().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    await expect.poll(() => history.location.search).toBe('');
    await expect.element(panel()).not.toBeInTheDocument();
  });

  it('[INV-036] opens a request that is not on the page, and no call but its own contains it', async () => {
    const calls: string[] = [];
    await show({ calls, address: '/page?request=918', details: (id) => ({ ...knownDetails, id, client_uid: 'c-far' }) });
    await expect.element(panel(918).getByRole('button', { name: 'c-far', exact: true })).toBeVisible();
    expect(calls.filter((url) => url.includes('request='))).toEqual([]);
  });

  it('[INV-037] says in the panel why a request is not there', async () => {
    const message = 'This request is older than the 30 days that requests are kept';
    await show({ address: '/page?request=1', details: () => message });
    await expect.element(panel(1).getByText(message)).toBeVisible();
  });

  it('[INV-053] offers nothing to copy of a request that is not there, but a way back and the possible reasons', async () => {
    const history = await show({ address: '/page?geo=DE&request=1', details: () => 'Request not found' });
    await expect.element(panel(1)).toMatchTextContent(/Request not found.*deleted because of its age/);
    expect(panel(1).getByRole('button', { name: 'Copy request as JSON' }).elements()).toHaveLength(0);
    await panel(1).getByRole('button', { name: 'Back to the list' }).click();
    await expect.element(panel(1)).not.toBeInTheDocument();
    await expect.poll(() => history.location.search).toBe('?geo=DE');
  });

  it('[INV-037] is copied without filters; the list around the time of a request is a link', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await show({ address: '/page?geo=DE&request=5' });
    await panel().getByRole('button', { name: 'Copy link' }).click();
    expect(copiedTexts).toEqual([`${location.origin}/page?request=5`]);
    await expect
      .element(panel().getByRole('link', { name: 'Show in list' }))
      .toHaveAttribute('href', '/page?request=5&startDate=2026-11-20+10%3A06%3A12&endDate=2026-11-20+10%3A16%3A12');
  });
});

describe('optional columns', () => {
  it('[INV-033] are hidden until they are chosen in the menu of columns', async () => {
    onTestFinished(() => localStorage.removeItem('switchyard_shown_columns_all-requests'));
    const calls: string[] = [];
    await show({ calls, rows: [{ ...first, asn, server: { id: 2, name: 'edge-fra-1' } }] });
    const domain = page.getByRole('columnheader', { name: 'Postbacks domain' });
    await expect.element(cell('5')).toBeVisible();
    expect(domain.elements()).toHaveLength(0);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Postbacks domain' }).click();
    await expect.element(domain).toBeInTheDocument();
    await expect.element(cell('track.acme.bet')).toBeInTheDocument();
    expect(calls.filter((url) => url.includes('origin='))).toEqual([]);
    await page.getByRole('checkbox', { name: 'ASN' }).click();
    await expect.element(cell('AS13335 Cloudflare')).toBeInTheDocument();
    expect(calls.filter((url) => url.includes('origin='))).toEqual([expect.stringMatching(/^\/api\/all-requests\?.*origin=1/)]);
  });
});

describe('panel of a request', () => {
  it('[INV-038] says which rules block its address', async () => {
    await show({ address: '/page?request=5' });
    const part = panel().getByRole('region', { name: 'Rules that block this address now' });
    await expect
      .element(part)
      .toHaveTextContent(
        'Rules that block this address now203.0.113.9 is on the black list for create and receive.Reason: Click farm' +
          'It applies to create requests and was in force when this one came.Since 18.11.2026 07:00:00, changed 19.11.2026 08:00:00 by Pavel' +
          'AS13335 Cloudflare is banned for create.It applies to create requests such as this one.',
      );
    expect(part.getByRole('link').elements()).toHaveLength(0);
  });

  it('[INV-052] says since when each rule applies, and whether it applied when the request came and to its type', async () => {
    const [rule] = blocks;
    const since = { create: '2026-11-20 10:11:13', receive: '2026-11-20 10:11:12' };
    const changedRules = rule === undefined ? [] : [{ ...rule, since, at: '2026-11-20 10:11:13' }];
    const part = panel().getByRole('region', { name: 'Rules that block this address now' });
    const expectReason = async (type: RequestDetails['type'], text: string): Promise<void> => {
      await show({
        address: '/page?request=5',
        rows: [{ ...first, type }],
        details: () => ({ ...knownDetails, type, blocked_by: changedRules }),
      });
      await expect
        .element(part)
        .toHaveTextContent(
          `Rules that block this address now203.0.113.9 is on the black list for create and receive.Reason: Click farm${text}`,
        );
      await cleanup();
    };
    const times = 'Create since 20.11.2026 10:11:13, receive since 20.11.2026 10:11:12, changed 20.11.2026 10:11:13 by Pavel';
    await expectReason('create', `It applies to create requests, but was not in force yet when this one came.${times}`);
    await expectReason('receive', `It applies to receive requests and was in force when this one came.${times}`);
    await expectReason('track', `It does not apply to track requests such as this one.${times}`);
  });

  it('[INV-038] leads those who may open them to Black IP and ASNs', async () => {
    await show({ address: '/page?request=5', permissions: ['manager_app_all_requests', 'manager_settings_asns'] });
    await expect.element(panel().getByRole('link', { name: 'Open in Black IP' })).toHaveAttribute('href', '/black-ip?search=203.0.113.9');
    await expect.element(panel().getByRole('link', { name: 'Open in ASNs' })).toHaveAttribute('href', '/asns?search=AS13335');
  });

  it('[INV-039] copies the call that stores its event', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await show({ address: '/page?request=5' });
    await panel().getByRole('button', { name: 'Copy as cURL' }).click();
    expect(copiedTexts[0]).toContain(`curl -X POST '${location.origin}/api/ingest/events'`);
  });
});
