import type { ApiToken } from '@switchyard/contract/api-tokens';
import { groupSummary } from '../accounts/permission-groups.ts';
import type { ListColumn } from '../listing/list-column.ts';
import { appsText, permissionsOf } from './token-values.ts';

/** Columns of the rights of a token: permissions, apps and networks. */
export function rightsColumns<Token extends ApiToken>(): ListColumn<Token>[] {
  return [
    {
      id: 'permissions',
      cellName: 'Permissions',
      width: 176,
      minWidth: 120,
      grows: true,
      cell: (token) => {
        const permissions = permissionsOf(token);
        return <span title={permissions.map(({ label }) => label).join('\n')}>{groupSummary(permissions)}</span>;
      },
    },
    { id: 'apps', cellName: 'Apps', width: 88, cell: appsText },
    {
      id: 'networks',
      cellName: 'Networks',
      width: 152,
      minWidth: 100,
      cell: ({ networks }) => <span title={networks.join('\n')}>{networks.length === 0 ? 'Everywhere' : networks.join(', ')}</span>,
    },
  ];
}

/** The time of the last call of a token, and on hover its address. */
export function LastUse({ token, displayDate }: { token: ApiToken; displayDate: (text: string) => string }) {
  const { last_used_at: at, last_used_ip: ip } = token;
  return (
    <span className="tabular" title={ip === null ? undefined : `From ${ip}`}>
      {at === null ? 'Never' : displayDate(at)}
    </span>
  );
}
