import { HomePage } from '../features/home/home-page.tsx';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useSettings } from '../shared/settings.ts';
import { linksOf, menuFor } from './menu.ts';
import { shownRoutes } from './route-table.ts';

/** The home page with the sections that this account may open. */
export default function HomeScreen() {
  const user = useSessionUser();
  const settings = useSettings();
  if (user === null) return null;
  return <HomePage user={user} sections={linksOf(menuFor(shownRoutes(settings), user.permissions))} />;
}
