import { Badge } from '@mantine/core';
import type { ServiceAccount } from '@switchyard/contract/api-tokens';
import { IconPencil } from '@tabler/icons-react';
import { actionColumn, type ListColumn } from '../../../shared/listing/list-column.ts';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { LastUse, rightsColumns } from '../../../shared/tokens/token-columns.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { LockMark } from '../../../shared/ui/lock-mark.tsx';
import { MarkedText } from '../../../shared/ui/marked-text.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';

type Input = { displayDate: (text: string) => string; onOpen: (account: ServiceAccount) => void };

/** Columns of the list of service accounts. */
export function serviceAccountsColumns({ displayDate, onOpen }: Input): ListColumn<ServiceAccount>[] {
  return [
    {
      id: 'name',
      cellName: 'Service account',
      width: 200,
      minWidth: 140,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (account) => <Name account={account} />,
    },
    { id: 'state', cellName: 'State', width: 104, isMain: true, cell: (account) => <State account={account} /> },
    { id: 'owner', cellName: 'Owner', width: 152, minWidth: 120, cell: ({ owner }) => <VisibleText text={owner.name} /> },
    ...rightsColumns<ServiceAccount>(),
    {
      id: 'expires',
      cellName: 'Expires',
      width: 164,
      cell: ({ expires_at: at }) => <span className="tabular">{at === null ? 'Never' : displayDate(at)}</span>,
    },
    {
      id: 'used',
      cellName: 'Last used',
      width: 164,
      cell: (account) => <LastUse token={account} displayDate={displayDate} />,
    },
    {
      id: 'edit',
      cellName: '',
      title: 'Edit',
      width: 56,
      ...actionColumn,
      cell: (account) => (
        <RowAction icon={IconPencil} label={`Edit ${withMarks(account.name)}`} isReading onClick={() => onOpen(account)} />
      ),
    },
  ];
}

/** Why the reader may not change a service account. */
export const readOnlyText = 'It has permissions that your account does not have, so you cannot change it.';

function Name({ account: { name, read_only: isReadOnly } }: { account: ServiceAccount }) {
  return <MarkedText text={name}>{isReadOnly && <LockMark reason={readOnlyText} />}</MarkedText>;
}

function State({ account: { is_stopped: isStopped, is_expired: isExpired } }: { account: ServiceAccount }) {
  const [text, colour] = isExpired ? ['Expired', 'danger'] : isStopped ? ['Stopped', 'warning'] : ['Works', 'success'];
  return <Badge color={colour}>{text}</Badge>;
}
