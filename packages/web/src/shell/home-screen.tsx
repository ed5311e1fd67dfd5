import { homePermissions } from '@switchyard/contract/home';
import { holdsAny } from '@switchyard/contract/permissions';
import { Suspense, type ComponentType } from 'react';
import { HomePage } from '../features/home/home-page.tsx';
import { paths } from '../shared/paths.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useShownRoutes } from './console-routes.ts';
import { lazyPage } from './lazy-page.tsx';
import { linksOf, menuFor } from './menu.ts';

/** Pinned reports, whose code with the charts is loaded beside the page. */
const HomeTiles: ComponentType = lazyPage<object>(() => import('../features/reports/dashboard/home-tiles.tsx'));

/** The home page with the sections that this account may open. */
export default function HomeScreen() {
  const user = useSessionUser();
  const routes = useShownRoutes();
  if (user === null) return null;
  const tiles = holdsAny(user.permissions, homePermissions.tiles) && (
    <Suspense>
      <HomeTiles />
    </Suspense>
  );
  const sections = linksOf(menuFor(routes, user.permissions)).filter(({ href }) => href !== paths.home());
  return <HomePage user={user} sections={sections} tiles={tiles} />;
}
