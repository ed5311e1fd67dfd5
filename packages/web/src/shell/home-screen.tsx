import { homePermissions } from '@switchyard/contract/home';
import { holdsAny } from '@switchyard/contract/permissions';
import { Suspense, type ComponentType } from 'react';
import { type Board, HomePage } from '../features/home/home-page.tsx';
import type { BoardProps } from '../features/reports/dashboard/home-board.tsx';
import { paths } from '../shared/paths.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useShownRoutes } from './console-routes.ts';
import { lazyPage } from './lazy-page.tsx';
import { linksOf, menuFor } from './menu.ts';

/** The board with the pinned reports, whose code with the charts is loaded beside the page. */
const HomeBoard: ComponentType<BoardProps> = lazyPage<BoardProps>(() => import('../features/reports/dashboard/home-board.tsx'));

function board(...[line, cards]: Parameters<Board>) {
  return (
    <Suspense>
      <HomeBoard line={line} cards={cards} />
    </Suspense>
  );
}

/** The home page with the sections that this account may open. */
export default function HomeScreen() {
  const user = useSessionUser();
  const routes = useShownRoutes();
  if (user === null) return null;
  const sections = linksOf(menuFor(routes, user.permissions)).filter(({ href }) => href !== paths.home());
  return <HomePage user={user} sections={sections} board={holdsAny(user.permissions, homePermissions.tiles) ? board : null} />;
}
