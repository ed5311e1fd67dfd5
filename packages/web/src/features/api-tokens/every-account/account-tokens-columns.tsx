import { Badge, Button } from '@mantine/core';
import type { AccountToken } from '@switchyard/contract/account-tokens';
import { actionColumn, type ListColumn } from '../../../shared/listing/list-column.ts';
import { AppLink } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { LastUse, rightsColumns } from '../../../shared/tokens/token-columns.tsx';
import { useGridTabIndex } from '../../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { MarkedText } from '../../../shared/ui/marked-text.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import classes from './account-tokens.module.css';

type Input = {
  displayDate: (text: string) => string;
  onRevoke: (token: AccountToken) => void;
  /** Whether the reader may open the page of service accounts. */
  managesServices: boolean;
};

/** The columns of the tokens of accounts. */
export function accountTokensColumns({ displayDate, onRevoke, managesServices }: Input): ListColumn<AccountToken>[] {
  return [
    {
      id: 'name',
      cellName: 'Token',
      cellNameOrderAble: 'keyName',
      width: 190,
      minWidth: 130,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (token) => <Name token={token} />,
    },
    {
      id: 'owner',
      cellName: 'Account',
      cellNameOrderAble: 'keyOwner',
      width: 160,
      minWidth: 110,
      grows: true,
      isMain: true,
      cell: ({ owner }) => <Owner owner={owner} />,
    },
    ...rightsColumns<AccountToken>(),
    {
      id: 'created',
      cellName: 'Created',
      cellNameOrderAble: 'keyCreated',
      width: 164,
      isOptional: true,
      cell: ({ created_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'expires',
      cellName: 'Expires',
      cellNameOrderAble: 'keyExpires',
      width: 164,
      isMain: true,
      isNamedOnCards: true,
      cell: (token) => <Expiry token={token} displayDate={displayDate} />,
    },
    {
      id: 'used',
      cellName: 'Last used',
      cellNameOrderAble: 'keyUsed',
      width: 164,
      cell: (token) => <LastUse token={token} displayDate={displayDate} />,
    },
    {
      id: 'revoke',
      cellName: '',
      title: 'Revoke',
      width: 96,
      ...actionColumn,
      cell: (token) => <Action token={token} onRevoke={onRevoke} managesServices={managesServices} />,
    },
  ];
}

function Name({ token: { name, kind, ends_with: end } }: { token: AccountToken }) {
  return (
    <MarkedText text={name} title={`${withMarks(name)}, swy_…${end}`}>
      {kind === 'service' && <Badge color="neutral">Service</Badge>}
    </MarkedText>
  );
}

function Owner({ owner: { id, name, email, panel } }: Pick<AccountToken, 'owner'>) {
  const href = panel === 'user' ? paths.userEdit(id) : paths.buyerEdit(id);
  return (
    <AppLink href={href} className={classes['link'] ?? ''} title={email}>
      <VisibleText text={name} />
    </AppLink>
  );
}

function Expiry({ token, displayDate }: { token: AccountToken } & Pick<Input, 'displayDate'>) {
  const { expires_at: at, is_expired: isExpired, expires_soon: isSoon } = token;
  const mark = isExpired ? (['Expired', 'danger'] as const) : isSoon ? (['Soon', 'warning'] as const) : null;
  return (
    <MarkedText text={at === null ? 'Never' : displayDate(at)}>{mark !== null && <Badge color={mark[1]}>{mark[0]}</Badge>}</MarkedText>
  );
}

/** Service accounts are not revoked but deleted or renewed, on their own page. */
function Action({ token, onRevoke, managesServices }: { token: AccountToken } & Omit<Input, 'displayDate'>) {
  const tabIndex = useGridTabIndex();
  if (token.kind === 'service') {
    if (!managesServices) return null;
    return (
      <AppLink
        href={paths.serviceAccounts()}
        className={classes['link'] ?? ''}
        aria-label={`Manage ${withMarks(token.name)} in Service accounts`}
      >
        Manage
      </AppLink>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Revoke ${withMarks(token.name)} of ${withMarks(token.owner.name)}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={() => onRevoke(token)}
    >
      Revoke
    </Button>
  );
}
