import { Page } from '../../../shared/page/page.tsx';

/** The apps list. */
export function AppsPage() {
  return <Page>Apps</Page>;
}
