import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { sampleRequest } from '../../testing/sample-request.ts';
import { showRequests } from '../testing/show-requests.tsx';

beforeEach(() => page.viewport(1440, 900));
afterEach(() => sessionStore.close());

it('[LARGE-003] shows all requests where the address names more apps than the filter takes', async () => {
  const address = `/page?${Array.from({ length: 101 }, (_, index) => `appId=${index + 1}`).join('&')}`;
  await showRequests({ rows: [sampleRequest(5)], address, permissions: ['manager_app_all_requests'] });
  await expect.element(page.getByRole('gridcell', { name: 'com.acme.bet', exact: true })).toBeVisible();
});
