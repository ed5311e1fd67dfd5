import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react';
import type Layer from './mark-layer.tsx';
import type Menu from './marks-menu.tsx';

// A chart without marks is complete: code that does not arrive leaves it as it is.
const nothing = { default: () => null };
const LoadedLayer = lazy<ComponentType<ComponentProps<typeof Layer>>>(() => import('./mark-layer.tsx').catch(() => nothing));
const LoadedMenu = lazy<ComponentType<ComponentProps<typeof Menu>>>(() => import('./marks-menu.tsx').catch(() => nothing));

/** The marks over the time of a chart, loaded after it. */
export function MarkLayer(props: ComponentProps<typeof Layer>) {
  return (
    <Suspense>
      <LoadedLayer {...props} />
    </Suspense>
  );
}

/** The button of a chart's marks, loaded after it. */
export function MarksMenu(props: ComponentProps<typeof Menu>) {
  return (
    <Suspense>
      <LoadedMenu {...props} />
    </Suspense>
  );
}
