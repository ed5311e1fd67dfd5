import { expect, it } from 'vitest';
import { renderPages } from '../testing/render-pages.tsx';
import { CrashPage, PagePending } from './page-states.tsx';

it.each([
  ['loads', () => <PagePending />],
  ['failed', () => <CrashPage error={new Error('Out of order')} reset={() => undefined} />],
])('[SHELL-067] a page that %s has its title in the tab already', async (_state, state) => {
  document.title = 'Login | Switchyard';
  await renderPages([['/apps', 'Apps', state]], ['/apps']);
  await expect.poll(() => document.title).toMatch(/^Apps \| /);
});
