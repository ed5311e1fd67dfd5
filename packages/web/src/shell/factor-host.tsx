import { Suspense, useState, type ComponentType } from 'react';
import { useStore } from '../shared/external-store.ts';
import { factorRequest } from '../shared/session/factor-request.ts';
import { lazyPage } from './lazy-page.tsx';

const FactorDue: ComponentType = lazyPage<object>(() =>
  import('../features/own-account/factor-due.tsx').then((file) => ({ default: file.FactorDue })),
);

/** Shows the screen that sets up a second factor while calls wait for one. Mount it once. */
export function FactorHost() {
  const request = useStore(factorRequest);
  // Loads the code of the screen with its first use, and keeps it for the fade-out.
  const [wasAsked, setWasAsked] = useState(false);
  if (request !== null && !wasAsked) setWasAsked(true);

  return wasAsked ? (
    <Suspense fallback={null}>
      <FactorDue />
    </Suspense>
  ) : null;
}
