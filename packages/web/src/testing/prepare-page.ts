import './settle-renders.ts';
import '../zod-setup.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../shared/ui/theme/mantine.css';
import '../shared/ui/theme/palette.css';
import '../shared/ui/theme/global.css';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { queryClient } from '../shared/api/query-client.ts';
import { factorRequest } from '../shared/session/factor-request.ts';
import { identityRequest } from '../shared/session/identity-request.ts';
import { hadAccount } from '../shared/session/session-store.ts';
import { correctedClock } from '../shared/time/corrected-clock.ts';
import { clearNotifications } from '../shared/ui/notifications/notification-center.ts';
import { resetMedia } from './media.ts';
import { resetStores } from './resettable-stores.ts';
import { takeContractProblems } from './stub-api.ts';

/** Moves the place where Tab begins to the start of the page, as after a page load. */
function resetTabStart(): void {
  const start = document.createElement('button');
  document.body.prepend(start);
  start.focus();
  start.remove();
}

// All files share a page and its modules. Vitest runs this file before each of them.
beforeAll(async () => {
  // Before the stores are reset: components that unmount write to them.
  await cleanup();
  // A call that is still waiting would take the response of the next request.
  identityRequest.get()?.settle(false);
  factorRequest.get()?.settle(false);
  localStorage.clear();
  sessionStorage.clear();
  resetStores();
  queryClient.clear();
  correctedClock.observe(new Date().toUTCString());
});

beforeEach(async () => {
  await cleanup();
  hadAccount.set(false);
  // One of the test before would be found beside those of the test, until it closes after 20 seconds.
  clearNotifications();
  resetTabStart();
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await resetMedia();
  localStorage.clear();
  expect(takeContractProblems(), 'Answers that the API could not give').toEqual([]);
});
