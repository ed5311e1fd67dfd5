import { cdp } from 'vitest/browser';

type Media = { print?: boolean; reducedMotion?: boolean };

let isChanged = false;

/** Shows the page as paper or on a screen, and with or without the wish for less motion; lasts until the test ends. */
export async function emulateMedia({ print = false, reducedMotion = true }: Media): Promise<void> {
  isChanged = true;
  await cdp().send('Emulation.setEmulatedMedia', {
    media: print ? 'print' : 'screen',
    features: [{ name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' }],
  });
}

/** Back to a screen with little motion, as every test begins. */
export async function resetMedia(): Promise<void> {
  if (!isChanged) return;
  await emulateMedia({});
  isChanged = false;
}
