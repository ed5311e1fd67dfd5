import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../shared/session/session-store.ts';
import { unsavedWork, useUnsavedWork } from '../shared/unsaved-work.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { LeaveGuard } from './leave-guard.tsx';

beforeEach(() => {
  const user = { id: 1, name: 'Ada', email: 'ada@example.com', panel: 'user', hasAllApps: true, isSuperAdmin: true } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
});

function Form() {
  const [text, setText] = useState('');
  useUnsavedWork(text !== '');
  return (
    <>
      <LeaveGuard />
      <input aria-label="Name" value={text} onChange={(event) => setText(event.currentTarget.value)} />
    </>
  );
}

async function typeAt(address: string) {
  const history = await renderPages([['/form', 'Form', Form]], [address]);
  await page.getByLabelText('Name').fill('Typed');
  return history;
}
const question = page.getByRole('dialog', { name: 'Leave without saving?' });

it.each([
  ['/form?copy=5', '/form'],
  ['/form', '/form?copy=5'],
  ['/form?board=3', '/form?board=4'],
  ['/form?startTabName=General', '/form?startTabName=Event'],
  ['/form', '/before'],
])('[SHELL-076] unsaved input of %s is not lost to %s without a question', async (from, to) => {
  const history = await typeAt(from);
  history.push(to);
  await question.getByRole('button', { name: 'Stay here' }).click();
  expect(history.location.href).toBe(from);
  history.push(to);
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => history.location.href).toBe(to);
});

it('[SHELL-085] the question closes when a running save stores the input, and leads nowhere', async () => {
  const history = await typeAt('/form');
  history.push('/before');
  await expect.element(question).toBeVisible();
  unsavedWork.releaseAll();
  await expect.element(question).not.toBeInTheDocument();
  expect(history.location.href).toBe('/form');
});

it('[SHELL-076] parameters that keep the form ask nothing', async () => {
  const history = await typeAt('/form?board=3');
  history.push('/form?board=3&filters=days%3D7');
  await expect.poll(() => history.location.href).toBe('/form?board=3&filters=days%3D7');
  expect(question.elements()).toHaveLength(0);
});
