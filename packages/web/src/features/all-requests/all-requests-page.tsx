import { Page } from '../../shared/page/page.tsx';

/** Requests of all apps. */
export function AllRequestsPage() {
  return <Page>Requests</Page>;
}
