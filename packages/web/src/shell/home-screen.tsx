import { HomePage } from '../features/home/home-page.tsx';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useShownRoutes } from './console-routes.ts';
import { linksOf, menuFor } from './menu.ts';

/** The home page with the sections that this account may open. */
export default function HomeScreen() {
  const user = useSessionUser();
  const routes = useShownRoutes();
  if (user === null) return null;
  return <HomePage user={user} sections={linksOf(menuFor(routes, user.permissions))} />;
}
