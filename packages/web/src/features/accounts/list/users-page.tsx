import { parseSearch } from '../../../shared/search-codec.ts';
import { useQueryText } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { RouteTabs } from '../../../shared/page/route-tabs.tsx';
import { buyers, staff } from '../account-panels.ts';
import { AccountsList } from './accounts-list.tsx';
import { CreateButton } from './create-button.tsx';

const names = [staff.tab, buyers.tab];

/** Staff accounts and buyers, each in a tab of their own. */
export function UsersPage() {
  const open = parseSearch(useQueryText())['startTabName'];
  return (
    <Page actions={<CreateButton panel={open === buyers.tab ? buyers : staff} />}>
      <RouteTabs names={names} label="Accounts">
        {(name) => <AccountsList key={name} panel={name === buyers.tab ? buyers : staff} />}
      </RouteTabs>
    </Page>
  );
}
