import { Anchor, Button } from '@mantine/core';
import { permissionCatalogue, type Panel, type Permission } from '@switchyard/contract/permissions';
import { previewRole, type Role, type RolePreview } from '@switchyard/contract/roles';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { ShortRows } from '../../shared/ui/short-rows.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './role-form.module.css';

type Props = { role: Role; /** The chosen permissions, ascending. */ permissionIds: readonly number[] };

/** For how many accounts and tokens the chosen permissions would change anything, with a list of them; nothing while none are changed. */
export function RolePreviewLine({ role, permissionIds }: Props) {
  const isChanged = permissionIds.join() !== role.permission_ids.toSorted((a, b) => a - b).join();
  return isChanged && <ChangedLine role={role} permissionIds={permissionIds} />;
}

function ChangedLine({ role: { id, version }, permissionIds }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, isError, refetch } = useQuery({
    queryKey: ['role-preview', id, version, permissionIds],
    queryFn: async ({ signal }) =>
      (await call(previewRole, { params: { id }, query: { permission_ids: [...permissionIds] }, signal, ...inBackground })).data,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (data === undefined) {
    return (
      <p className={classes['preview']}>
        {isError ? 'Could not load who is affected.' : 'Checking who is affected …'}
        {isError && (
          <Anchor component="button" type="button" onClick={() => void refetch()}>
            Retry
          </Anchor>
        )}
      </p>
    );
  }
  const isAnybody = data.accounts.length + data.tokens.length > 0;
  return (
    <p className={classes['preview']}>
      {summaryOf(data)}
      {isAnybody && (
        <Anchor component="button" type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          Show who
        </Anchor>
      )}
      <Popup isOpen={isOpen} onClose={() => setIsOpen(false)} title="Who is affected" width={560}>
        <Affected preview={data} />
        <Button variant="default" fullWidth mt="md" onClick={() => setIsOpen(false)}>
          Close
        </Button>
      </Popup>
    </p>
  );
}

type Change = 'gains' | 'loses';
type Who = Pick<RolePreview['accounts'][number], Change | 'id' | 'name' | 'obstacle'> & {
  panel?: Panel;
  /** The owner of a token. */
  owner?: RolePreview['tokens'][number]['owner'];
};

/** How many of them gain or lose anything, in words; none if nobody does. */
function countOf(rows: readonly Who[], change: Change, noun: string): string[] {
  const number = rows.filter((row) => row[change].length > 0).length;
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`];
}

function summaryOf({ accounts, tokens, is_partial: isPartial }: RolePreview): string {
  const part = (change: Change, verb: string): string[] => {
    const counts = [...countOf(accounts, change, 'account'), ...countOf(tokens, change, 'token')];
    return counts.length === 0 ? [] : [`${verb}: ${counts.join(', ')}`];
  };
  const parts = [...part('gains', 'Gain'), ...part('loses', 'Lose')];
  const seen = isPartial ? ' that you see' : '';
  return parts.length === 0 ? `No account or token${seen} gains or loses a permission.` : `${parts.join('. ')}${seen}.`;
}

/** Each permission that changes for anybody, with who gains or loses it. */
function Affected({ preview: { accounts, tokens, is_partial: isPartial } }: { preview: RolePreview }) {
  const changes = permissionCatalogue.flatMap((permission) =>
    (['gains', 'loses'] as const).flatMap((change) => {
      const whose = (rows: readonly Who[]) => rows.filter((row) => row[change].some((label: Permission) => label === permission.label));
      const who = [...whose(accounts), ...whose(tokens)];
      return who.length === 0 ? [] : [{ ...permission, change, who }];
    }),
  );
  return (
    <>
      <ul className={classes['affected']}>
        {changes.map(({ id, label, description, change, who }) => (
          <li key={id}>
            <strong>{description}</strong> <code>{label}</code>
            <div className="note">
              <ShortRows rows={who} noun="accounts and tokens" textOf={nameOf}>
                {(shownRows) => (
                  <p>
                    {change === 'gains' ? 'Gained by ' : 'Lost by '}
                    {shownRows.map((row, at) => (
                      <Fragment key={`${row.owner === undefined ? 'account' : 'token'} ${row.id}`}>
                        {at > 0 && ', '}
                        <Name who={row} />
                      </Fragment>
                    ))}
                  </p>
                )}
              </ShortRows>
            </div>
          </li>
        ))}
      </ul>
      {isPartial && <p className="note">Accounts and tokens that you do not see are left out.</p>}
    </>
  );
}

/** A name that leads to the account, or to the owner of the token, if the reader may open it. */
function Name({ who }: { who: Who }) {
  const opensAccounts = useHoldsAny('manager_user_edit');
  const { id, panel } = who.owner ?? { id: who.id, panel: who.panel };
  const text = <VisibleText text={nameOf(who)} />;
  if (!opensAccounts || panel === undefined) return text;
  // The form has unsaved changes.
  return (
    <Anchor href={panel === 'user' ? paths.userEdit(id) : paths.buyerEdit(id)} target="_blank" rel="noopener" inherit>
      {text}
    </Anchor>
  );
}

function nameOf({ name, owner, obstacle }: Who): string {
  const whose = owner === undefined ? name : `token ${name} of ${owner.name}`;
  return obstacle === null ? whose : `${whose} (cannot use it now)`;
}
