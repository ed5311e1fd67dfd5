import { listAccountPermissions, type EffectivePermission } from '@switchyard/contract/account-activity';
import type { Account } from '@switchyard/contract/accounts';
import { permissionGroup } from '@switchyard/contract/roles';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { accountPartKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-parts.module.css';
import { PartState } from './part-state.tsx';

type Props = { panel: AccountPanel; account: Account };

/** What the account may do as it is saved, each permission with the roles that it comes from. */
export function PermissionsSection({ panel, account }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: accountPartKey(panel, account.id, 'permissions'),
    queryFn: ({ signal }) => call(listAccountPermissions, { params: { id: account.id }, signal, isSilent: true }),
  });
  return (
    <FormSection title="Effective permissions" summary="What the roles as saved add up to, and which of them each permission comes from.">
      {data === undefined ? (
        <PartState noun="permissions" error={error} onRetry={() => void refetch()} />
      ) : (
        <Permissions list={data.data} />
      )}
    </FormSection>
  );
}

function Permissions({ list }: { list: readonly EffectivePermission[] }) {
  if (list.length === 0) return <p className={classes['note']}>No role of this account allows anything.</p>;
  const groups = Map.groupBy(list, ({ label }) => permissionGroup(label));
  return (
    <div className={classes['groups']}>
      {[...groups].map(([group, permissions]) => (
        <details key={group} className={classes['group']}>
          <summary>
            {group} <span className={classes['count']}>{permissions.length}</span>
          </summary>
          <ul className={classes['permissions']}>
            {permissions.map(({ id, label, description, roles }) => (
              <li key={id}>
                <span className={classes['what']}>{description ?? label}</span>
                <code className={classes['code']}>{label}</code>
                <span className={classes['from']}>from {roles.join(', ')}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
