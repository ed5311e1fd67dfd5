import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react';
import type * as marks from './mark-parts.ts';

type LayerProps = ComponentProps<typeof marks.MarkLayer>;
type MenuProps = ComponentProps<typeof marks.MarksMenu>;

// A chart without marks is complete: code that does not arrive leaves it as it is.
const nothing = { MarkLayer: () => null, MarksMenu: () => null };
const load = (): Promise<{ MarkLayer: ComponentType<LayerProps>; MarksMenu: ComponentType<MenuProps> }> =>
  import('./mark-parts.ts').catch(() => nothing);
const LoadedLayer = lazy(async () => ({ default: (await load()).MarkLayer }));
const LoadedMenu = lazy(async () => ({ default: (await load()).MarksMenu }));

/** The marks over the time of a chart, loaded after it. */
export function MarkLayer(props: LayerProps) {
  return (
    <Suspense>
      <LoadedLayer {...props} />
    </Suspense>
  );
}

/** The button of a chart's marks, loaded after it. */
export function MarksMenu(props: MenuProps) {
  return (
    <Suspense>
      <LoadedMenu {...props} />
    </Suspense>
  );
}
