import { EditAppPage } from '../features/apps/edit/edit-app-page.tsx';
import type { AppTabContents } from '../features/apps/edit/app-tabs.ts';
import { lazyPage } from './lazy-page.tsx';

type TabProps = { app: { id: number } };

/** What the tabs of an app show besides General; a tab appears once it stands here. */
const contents: AppTabContents = {
  Event: lazyPage<TabProps>(() => import('../features/app-events/event-tab.tsx').then((file) => ({ default: file.EventTab }))),
  Push: lazyPage<TabProps>(() => import('../features/app-pushes/push-tab.tsx').then((file) => ({ default: file.PushTab }))),
  Conversion: lazyPage<TabProps>(() =>
    import('../features/app-conversions/conversion-tab.tsx').then((file) => ({ default: file.ConversionTab })),
  ),
};

/** The edit page with the tabs of every feature that has one. */
export default function AppEditScreen() {
  return <EditAppPage contents={contents} />;
}
