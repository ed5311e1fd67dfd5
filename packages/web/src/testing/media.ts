import { cdp } from 'vitest/browser';

type Media = { print?: boolean; reducedMotion?: boolean };

let isChanged = false;

/** Emulates print or screen and the reduced-motion preference until the test ends. */
export async function emulateMedia({ print = false, reducedMotion = true }: Media): Promise<void> {
  isChanged = true;
  await cdp().send('Emulation.setEmulatedMedia', {
    media: print ? 'print' : 'screen',
    features: [{ name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' }],
  });
}

/** Restores a screen with reduced motion, the default of every test. */
export async function resetMedia(): Promise<void> {
  if (!isChanged) return;
  await emulateMedia({});
  isChanged = false;
}
