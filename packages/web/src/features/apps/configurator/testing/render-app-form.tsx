import { pageOf } from '@switchyard/contract/page-of';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { FullApp } from '@switchyard/contract/app-form';
import { pickedBuyers } from './sample-app.ts';
import type { Permission } from '@switchyard/contract/permissions';
import { vi } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../../shared/session/session-store.ts';
import { ConfirmHost } from '../../../../shared/ui/confirm.tsx';
import { renderWidget } from '../../../../testing/render-widget.tsx';
import { stubApi } from '../../../../testing/stub-api.ts';
import { AppForm } from '../app-form.tsx';
import { toBody, type AppBody, type AppValues } from '../app-model.ts';

/** A save that the form asked for. */
type AppSave = { readonly body: AppBody; readonly values: AppValues; readonly loadedApp: FullApp | undefined };

/** A question whether a value is free, which the test answers. */
export type AskedValue = {
  field: string;
  search: string;
  exceptId: string | null;
  answer: (isFree: boolean) => void;
  wasDropped: () => boolean;
};

type FormOptions = {
  app?: FullApp;
  permissions?: readonly Permission[];
  /** Answers every question at once; without it they wait in `askedValues`. */
  isFree?: (field: string, value: string) => boolean;
  save?: (what: AppSave) => Promise<FullApp>;
};

/** Shows the form on a page of its own, signed in, with a server that knows buyers and verticals and is asked about values. */
export async function renderAppForm({ app, permissions = ['manager_app_create', 'manager_app_edit'], isFree, save }: FormOptions = {}) {
  const askedValues: AskedValue[] = [];
  const saves: AppSave[] = [];
  const onSaved = vi.fn<(app: FullApp) => void>();
  stubApi((url, init) => {
    const address = new URL(url, 'http://console');
    const asking = /^\/api\/app\/check-not\/(\w+)$/.exec(address.pathname)?.[1];
    if (address.pathname === '/api/picks/buyers') {
      return Promise.resolve(Response.json({ success: true, ...pageOf(pickedBuyers, { page: 1, limit: 50 }) }));
    }
    if (asking === undefined) return Promise.resolve(answer([]));
    const search = address.searchParams.get('search') ?? '';
    const { promise, resolve } = Promise.withResolvers<Response>();
    askedValues.push({
      field: asking,
      search,
      exceptId: address.searchParams.get('exceptId'),
      answer: (free) => resolve(answer(free)),
      wasDropped: () => init.signal.aborted,
    });
    if (isFree !== undefined) resolve(answer(isFree(asking, search)));
    return promise;
  });
  const user = {
    id: 1,
    name: 'Olga',
    email: 'o@x.y',
    panel: 'user',
    roles: [],
    badges: [],
    hasAllApps: true,
    isSuperAdmin: false,
  } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [...permissions] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const keep = async (values: AppValues, loadedApp: FullApp | undefined): Promise<FullApp> => {
    const what = { body: toBody(values), values, loadedApp };
    saves.push(what);
    if (save === undefined) throw new Error('This test saves nothing');
    return save(what);
  };
  await renderWidget(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <AppForm {...(app === undefined ? {} : { app })} save={keep} onSaved={onSaved} />
      <ConfirmHost />
    </QueryClientProvider>,
  );
  return { askedValues, saves, onSaved };
}

function answer(data: unknown): Response {
  return Response.json({ success: true, data });
}

/** A field by its exact label. */
export function field(label: string) {
  return page.getByLabelText(label, { exact: true });
}

export const saveButton = page.getByRole('button', { name: 'Save', exact: true });

/** The icon that unlocks the bundle or the domain. */
export const unlock = (name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true });

/** Permissions that unlock them. */
export const withUnlock = ['manager_app_edit', 'manager_app_edit_domain_bundle'] as const;

/** A server for which no value is taken. */
export const free = { isFree: () => true };

/** Fills in what an app cannot be without. */
export async function fillRequired(): Promise<void> {
  await field('Name').fill('Lucky Bet');
  await field('Bundle').fill('com.lucky.bet');
  await field('Domain').fill('lucky.example');
  await page.getByRole('radio', { name: 'Casino', exact: true }).click();
}
