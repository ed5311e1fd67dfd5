import { EditAppPage, type AppTabContents } from '../features/apps/edit/edit-app-page.tsx';
import { lazyPage } from './lazy-page.tsx';

type TabProps = { app: { id: number; name: string } };

/** The contents of the app tabs other than General; a tab appears when it is listed here. */
const contents: AppTabContents = {
  Event: lazyPage<TabProps>(() => import('../traffic/postbacks/event-tab.tsx').then((file) => ({ default: file.EventTab }))),
  Push: lazyPage<TabProps>(() => import('../traffic/pushes/push-tab.tsx').then((file) => ({ default: file.PushTab }))),
  Conversion: lazyPage<TabProps>(() =>
    import('../traffic/conversions/conversion-tab.tsx').then((file) => ({ default: file.ConversionTab })),
  ),
};

/** The edit page with the tabs of every feature that has one. */
export default function AppEditScreen() {
  return <EditAppPage contents={contents} />;
}
