import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { AppLink } from '../../../shared/navigation.tsx';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import type { AccountPanel } from '../account-panels.ts';

/** Opens the page that creates an account of the panel; only for those who may. */
export function CreateButton({ panel }: { panel: AccountPanel }) {
  const createsUsers = useHoldsAny('manager_user_create');
  const createsBuyers = useHoldsAny('manager_user_create', 'manager_user_buyer_create');
  if (!(panel.noun === 'user' ? createsUsers : createsBuyers)) return null;
  return (
    <Button component={AppLink} href={panel.createPath} leftSection={<IconPlus size={16} aria-hidden />}>
      {`Create ${panel.noun}`}
    </Button>
  );
}
