import { EditAppPage } from '../features/apps/edit/edit-app-page.tsx';
import type { AppTabContents } from '../features/apps/edit/app-tabs.ts';

/**
 * What the tabs of an app show besides General; a tab appears once it stands here, e.g.
 * `Event: lazyPage(() => import('../features/app-events/event-tab.tsx').then((file) => ({ default: file.EventTab })))`.
 */
const contents: AppTabContents = {};

/** The edit page with the tabs of every feature that has one. */
export default function AppEditScreen() {
  return <EditAppPage contents={contents} />;
}
