import { limit, page as pageParameter, searchText, single, sortBy } from '@switchyard/contract/listing';
import { viewMessages, type SavedView } from '@switchyard/contract/saved-views';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { unknownOutcome } from '../../api/call-error.ts';
import { unsavedWork } from '../../unsaved-work.ts';
import { searchFilter } from '../filter-fields.tsx';
import type { ListColumn } from '../list-column.ts';
import { ListPage } from '../list.tsx';
import { useList } from '../use-list.ts';
import { preloadViews, useSavedViews } from './use-saved-views.ts';

const schema = z.object({
  search: searchText(),
  status: single(z.enum(['active', 'deleted']).optional()),
  page: pageParameter,
  limit: limit(50),
  ...sortBy(['keyId', 'keyName'], { orderBy: 'keyId', orderDirection: 'desc' }),
});
type Row = { id: number; name: string };
const rows: Row[] = [{ id: 1, name: 'Acme' }];
const pagination = { total: 1, count: 1, limit: 50, currentPage: 1, totalPages: 1, current_page: 1, last_page: 1, links: [] };
const columns: ListColumn<Row>[] = [
  { id: 'name', cellName: 'Name', width: 120, isFixed: true, cell: ({ name }) => name },
  { id: 'owner', cellName: 'Owner', width: 120, cell: () => 'Olga' },
  { id: 'asn', cellName: 'ASN', width: 120, isOptional: true, cell: () => 'AS1' },
];
const filters = {
  search: searchFilter({ placeholder: 'Name' }),
  status: { chips: (status: string) => [{ name: 'Status', value: status }] },
};
const rowId = ({ id }: Row): number => id;
const markOf = vi.fn<() => undefined>(() => undefined);

/** The searches with which rows were loaded. */
let loadedQueries: (string | undefined)[];

function Page() {
  const views = useSavedViews('apps', schema);
  const load = ({ search }: { search?: string | undefined }) => {
    loadedQueries.push(search);
    return Promise.resolve({ data: rows, pagination: { ...pagination, prev_cursor: null, next_cursor: null } });
  };
  const list = useList({ name: 'view-test', schema, rowId, views, load });
  return <ListPage list={list} noun="apps" columns={columns} filters={filters} markOf={markOf} empty={{ title: 'None', text: 'None.' }} />;
}

const olga = { id: 7, name: 'Olga Petrova' };
const storedView: SavedView = {
  id: 5,
  list: 'apps',
  name: 'Bets',
  query: 'search=bet&orderBy=keyName',
  columns: { hidden: ['owner'], shown: ['asn'], widths: {} },
  sharing: 'private',
  role_ids: [],
  owner: { id: 1, name: 'Reader' },
  is_own: true,
  is_default: false,
  updated_at: '2026-11-20 10:11:12',
};
const team: SavedView = { ...storedView, id: 6, name: 'Team', query: 'search=team', owner: olga, is_own: false, sharing: 'everyone' };

const rejectionOf = (status: number, message: string, errors?: Record<string, string[]>) =>
  Response.json({ success: false, message, ...(errors && { errors, data: { errors } }) }, { status });

type Call = { method: string; path: string; body: unknown };

/** Opens the list over a server with these views; `fail` answers a write in its place. */
async function show(address: string, initial: SavedView[] = [storedView, team], fail?: () => Response) {
  let views = initial;
  const calls: Call[] = [];
  const answer = async (url: string, { method, body }: { method: string; body?: string | FormData }) => {
    const path = url.replace(/^.*\/api\//, '');
    const sentBody = typeof body === 'string' ? JSON.parse(body) : {};
    calls.push({ method, path, body: sentBody });
    if (method !== 'GET' && fail !== undefined) return fail();
    if (path === 'views/default') {
      views = views.map((view) => ({ ...view, is_default: view.id === sentBody.id }));
      return new Response(null, { status: 204 });
    }
    const id = Number(path.split('/')[1]);
    if (method === 'DELETE') {
      views = views.filter((view) => view.id !== id);
      return new Response(null, { status: 204 });
    }
    if (method === 'GET') return Response.json({ success: true, data: { views, roles: [{ id: 3, name: 'App Manager' }] } });
    const savedView = method === 'POST' ? { ...storedView, ...sentBody, id: 9 } : { ...views.find((view) => view.id === id), ...sentBody };
    views = [savedView, ...views.filter((view) => view.id !== savedView.id)];
    return Response.json({ success: true, data: savedView }, { status: method === 'POST' ? 201 : 200 });
  };
  stubApi(answer, { answersViews: true });
  const history = await renderPages([['/page', 'Apps', () => <Page />]], ['/before', address]);
  await expect.element(page.getByRole('row', { name: /Acme/ })).toBeVisible();
  const writes = () => calls.filter(({ method }) => method !== 'GET');
  return { history, calls, writes };
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const menu = () => page.getByRole('menu');
const heads = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((head) => head.textContent.trim());
async function choose(trigger: string | RegExp, item: string | RegExp): Promise<void> {
  await button(trigger).click();
  await menu()
    .getByText(item, { exact: typeof item === 'string' })
    .click();
}
async function searchFor(text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await userEvent.keyboard('{Enter}');
}

beforeEach(() => {
  loadedQueries = [];
  localStorage.clear();
});

describe('saved views of a list', () => {
  it('[VIEW-005] opens a view with its filters, sort and columns, and keeps it on reload and Back', async () => {
    const { history, calls } = await show('/page');
    expect(heads()).toEqual(['Name', 'Owner']);
    await choose('Views', 'Bets');
    await expect.element(button('View Bets')).toBeVisible();
    await expect.poll(heads).toEqual(['Name', 'ASN']);
    expect(history.location.search).toBe('?orderBy=keyName&search=bet&view=5');
    await choose('View Bets', 'Team');
    await expect.element(button('View Team')).toBeVisible();
    history.back();
    await expect.element(button('View Bets')).toBeVisible();
    await expect.poll(heads).toEqual(['Name', 'ASN']);
    await choose('View Bets', 'No view');
    await expect.poll(() => history.location.search).toBe('');
    await expect.poll(heads).toEqual(['Name', 'Owner']);
    expect(calls).toHaveLength(1);
    await expect.poll(() => loadedQueries).toEqual([undefined, 'bet', 'team', 'bet', undefined]);
  });

  it('[VIEW-005] fills in an address that names a view alone', async () => {
    const { history } = await show('/page?view=5');
    expect(history.location.search).toBe('?orderBy=keyName&search=bet&view=5');
    await expect.poll(() => loadedQueries).toEqual(['bet']);
    await expect.poll(heads).toEqual(['Name', 'ASN']);
  });

  it('[VIEW-005] says that the view of the address is missing', async () => {
    await show('/page?view=77&search=x');
    await expect.element(page.getByText('This view does not exist, or is not shared with you')).toBeVisible();
    await button('Open without a view').click();
    await expect.poll(() => page.getByText('This view does not exist').elements()).toHaveLength(0);
  });

  it('[VIEW-011] finds one of many views by its name or its owner', async () => {
    const many = Array.from({ length: 12 }, (_, nth) => ({ ...storedView, id: 20 + nth, name: `Länder ${nth + 1}` }));
    await show('/page', [...many, { ...team, id: 40 }]);
    await page.getByRole('button', { name: 'Views' }).click();
    const items = () =>
      page
        .getByRole('menuitemradio')
        .elements()
        .map((item) => item.textContent);
    const search = page.getByRole('textbox', { name: 'Search views' });
    await search.fill('LA\u0308NDER 12');
    await expect.poll(items).toEqual(['Länder 12']);
    await search.fill('olga');
    await expect.poll(items).toEqual(['TeamOlga Petrova']);
    await search.fill('nothing like it');
    await expect.element(page.getByText('No view has this text.')).toBeVisible();
    await search.fill('länder 3');
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(page.getByRole('button', { name: 'View Länder 3' })).toBeVisible();
  });

  it('[VIEW-006] shows that the list was changed, and saves, discards or saves it as another view', async () => {
    const { history, writes } = await show('/page?view=5');
    await searchFor('dice');
    await expect.element(button('View Bets, modified')).toBeVisible();
    await choose('View Bets, modified', 'Save changes');
    await expect.element(button('View Bets')).toBeVisible();
    expect(writes()).toEqual([
      { method: 'PUT', path: 'views/5', body: { query: 'orderBy=keyName&search=dice', columns: storedView.columns } },
    ]);

    await button('Columns (1 hidden)').click();
    await page.getByRole('checkbox', { name: 'Owner' }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('View Bets, modified')).toBeVisible();
    await choose('View Bets, modified', 'Save as new view…');
    const dialog = page.getByRole('dialog', { name: 'Save as new view' });
    await dialog.getByLabelText('Name').fill('Dice');
    await dialog.getByText('Roles', { exact: true }).click();
    await dialog.getByRole('checkbox', { name: 'App Manager' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(button('View Dice')).toBeVisible();
    expect(writes().at(-1)).toEqual({
      method: 'POST',
      path: 'views',
      body: {
        list: 'apps',
        name: 'Dice',
        sharing: 'roles',
        role_ids: [3],
        query: 'orderBy=keyName&search=dice',
        columns: { hidden: [], shown: ['asn'], widths: {} },
      },
    });
    expect(history.location.search).toContain('view=9');
    await expect.poll(heads).toEqual(['Name', 'Owner', 'ASN']);

    await choose('View Dice', 'Bets');
    await expect.element(button('View Bets')).toBeVisible();
    await expect.poll(heads).toEqual(['Name', 'ASN']);
    await choose('View Bets', 'Dice');
    await searchFor('cards');
    await choose('View Dice, modified', 'Discard changes');
    await expect.element(button('View Dice')).toBeVisible();
    expect(history.location.search).toContain('search=dice');
  });

  it('[VIEW-006] [SHELL-062] renames, shares and deletes own views; those of others can be copied', async () => {
    const { history, writes } = await show('/page?view=5');
    await choose('View Bets', 'Rename or share…');
    const dialog = page.getByRole('dialog', { name: 'Rename or share view' });
    expect(unsavedWork.isHeld()).toBe(false);
    await dialog.getByLabelText('Name').fill('Bets <b>\u202e!');
    expect(unsavedWork.isHeld()).toBe(true);
    await dialog.getByText('Everyone', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(button(/^View Bets <b>/)).toHaveFocus();
    expect(writes().at(-1)?.body).toEqual({ name: 'Bets <b>\u202e!', sharing: 'everyone', role_ids: [] });
    expect(unsavedWork.isHeld()).toBe(false);
    await choose(/^View Bets/, 'Delete view…');
    await expect.element(page.getByText('It is shared: others lose it, too. The rows of the list stay.')).toBeVisible();
    await button('OK').click();
    await expect.element(button('Views')).toBeVisible();
    expect(writes().at(-1)).toMatchObject({ method: 'DELETE', path: 'views/5' });
    expect(history.location.search).toBe('');

    await choose('Views', 'Team');
    await searchFor('other');
    await button('View Team, modified').click();
    await expect.element(menu().getByText('Olga Petrova, modified')).toBeVisible();
    const items = () =>
      menu()
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent);
    await expect.poll(items).toEqual(['Discard changes', 'Save as new view…', 'Make default']);
  });

  it('[VIEW-006] shows at its field or as a message why a view was not saved', async () => {
    let failure = () => rejectionOf(422, 'Invalid', { name: [viewMessages.taken] });
    await show('/page?view=5', [storedView], () => failure());
    await choose('View Bets', 'Save as new view…');
    const dialog = page.getByRole('dialog', { name: 'Save as new view' });
    await dialog.getByLabelText('Name').fill('Bets');
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByText(viewMessages.taken)).toBeVisible();
    failure = () => {
      throw new TypeError('offline');
    };
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(unknownOutcome);
    await userEvent.keyboard('{Escape}');
    await searchFor('dice');
    failure = () => rejectionOf(404, 'Not found');
    await choose('View Bets, modified', 'Save changes');
    await expect.element(page.getByText(/This view was deleted/)).toBeVisible();
  });

  it('[VIEW-007] opens with the default view, and without it when asked', async () => {
    const views = [storedView, { ...team, is_default: true }];
    const { history } = await show('/page', views);
    expect(history.location.search).toBe('?search=team&view=6');
    await expect.poll(() => loadedQueries).toEqual(['team']);
    await button('Remove filter team').click();
    await expect.poll(() => history.location.search).toBe('?view=none');
    await choose('Views', 'Team');
    await choose('View Team', 'No view');
    await expect.poll(() => history.location.search).toBe('?view=none');
    await choose('Views', 'Team');
    await choose('View Team', 'Clear default');
    await choose('View Team', 'No view');
    await expect.poll(() => history.location.search).toBe('');
  });

  it('[VIEW-007] loads the views once, also when they are loaded before the page', async () => {
    const { calls } = await show('/page');
    preloadViews('apps');
    expect(calls.map(({ path }) => path)).toEqual(['views?list=apps']);
    queryClient.clear();
    preloadViews('apps');
    await expect.poll(() => calls.length).toBe(2);
  });

  it('[WID-088] renders no row for a key in a filter', async () => {
    await show('/page');
    markOf.mockClear();
    await page.getByRole('searchbox', { name: 'Search' }).fill('acm');
    await expect.element(button('Apply filter')).toHaveAttribute('data-variant', 'filled');
    expect(markOf).not.toHaveBeenCalled();
  });

  it('[VIEW-007] leaves an address with parameters alone', async () => {
    const { history } = await show('/page?search=x', [{ ...storedView, is_default: true }]);
    await expect.element(button('Views')).toBeVisible();
    expect([history.location.search, loadedQueries]).toEqual(['?search=x', ['x']]);
  });

  it('[VIEW-007] loads at once where this device knows that there is no default, and when views fail', async () => {
    localStorage.setItem('switchyard_default_view_apps', 'false');
    let answer: (response: Response) => void = () => undefined;
    const first = new Promise<Response>((resolve) => (answer = resolve));
    let callCount = 0;
    stubApi(() => ((callCount += 1) === 1 ? first : rejectionOf(503, 'Busy')), { answersViews: true });
    await renderPages([['/page', 'Apps', () => <Page />]], ['/page']);
    await expect.element(page.getByRole('row', { name: /Acme/ })).toBeVisible();
    answer(rejectionOf(503, 'Busy'));
    await button('Views').click();
    await expect.element(menu().getByText('The views could not be loaded.')).toBeVisible();
    await expect.poll(() => loadedQueries).toEqual([undefined]);
  });

  it('[VIEW-008] leaves out what the list does not have, and names it', async () => {
    const query = 'search=bet&vertical=3&status=gone&orderBy=keyGone';
    await show('/page?view=5', [{ ...storedView, query, columns: { hidden: ['payout', 'name'], shown: ['asn'], widths: { server: 90 } } }]);
    await expect
      .element(page.getByText(/does not have/))
      .toMatchTextContent(/filter “vertical=3”, filter “status=gone”, sort “orderBy=keyGone”, column “payout”, column “server”\./);
    await expect.poll(() => loadedQueries).toEqual(['bet']);
    // A fixed column cannot be hidden by a view either.
    await expect.poll(heads).toEqual(['Name', 'Owner', 'ASN']);
    await expect.element(button('View Bets')).toBeVisible();
    await button('Dismiss').click();
    await expect.poll(() => page.getByText(/does not have/).elements()).toHaveLength(0);
  });
});
