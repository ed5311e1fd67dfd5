import { HomePage } from '../features/home/home-page.tsx';
import { useSessionUser } from '../shared/session/use-session.ts';
import { linksOf, menuFor } from './menu.ts';
import { routeTable } from './route-table.ts';

/** The home page with the sections that this account may open. */
export default function HomeScreen() {
  const user = useSessionUser();
  if (user === null) return null;
  return <HomePage user={user} sections={linksOf(menuFor(routeTable, user.permissions))} />;
}
