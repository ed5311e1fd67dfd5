import { Checkbox, Skeleton } from '@mantine/core';
import { accountTooltips, roleMeanings } from '@switchyard/contract/account-texts';
import { seededRoles } from '@switchyard/contract/permissions';
import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';
import { useQuery } from '@tanstack/react-query';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { TooltipIcon } from '../../../shared/ui/hover-tooltip.tsx';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-form.module.css';
import { fieldLabels } from './account-model.ts';
import { offeredRoles, roleLock } from './account-rights.ts';
import type { AccountDraft } from './use-account-draft.ts';
import { ShortRows } from '../../../shared/ui/short-rows.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { RetryNote } from '../../../shared/ui/retry.tsx';

/** The roles that accounts of a panel can have, and whether they are loaded. */
export type RolesOnOffer = {
  readonly state: 'loading' | 'failed' | 'ready';
  readonly list: readonly RoleChoice[];
  readonly retry: () => void;
};

const none: readonly RoleChoice[] = [];

/** Loads the roles that accounts of a panel can have. */
export function useRoles(panel: AccountPanel): RolesOnOffer {
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', 'choices', panel.panel],
    queryFn: ({ signal }) => panel.roles(signal),
    staleTime: 0,
  });
  const state = data !== undefined ? 'ready' : error === null ? 'loading' : 'failed';
  return { state, list: data ?? none, retry: () => void refetch() };
}

type Props = { form: AccountDraft; roles: RolesOnOffer; isLocked: boolean };

/** The tooltip of a role: the specified text for seeded roles, the name of all others. */
function tooltipOf({ id, badge, label, panel }: RoleChoice): string {
  const isSeeded = seededRoles.some((role) => role.id === id && role.panel === panel);
  const meaning = isSeeded ? roleMeanings[badge] : undefined;
  return meaning === undefined ? `${label}: see the roles page for its permissions` : `${badge} ${meaning}`;
}

/** The roles of the panel as checkboxes. */
export function RoleChoices({ form, roles, isLocked }: Props) {
  const hasStatistics = useHoldsAny('manager_app_statistics');
  const reader = useSessionUser();
  const choices = offeredRoles(roles.list, { isNew: form.isNew, hasStatistics });
  const error = form.errorOf('roles');
  return (
    <fieldset aria-invalid={error !== undefined}>
      <legend className={classes['legend']}>
        {fieldLabels.roles}
        <TooltipIcon label={accountTooltips.roles} size="s" />
      </legend>
      {roles.state === 'loading' && (
        <output aria-label="Loading the roles">
          <Skeleton height={84} />
        </output>
      )}
      {roles.state === 'failed' && <RetryNote onRetry={roles.retry}>The roles could not be loaded.</RetryNote>}
      {roles.state === 'ready' && choices.length === 0 && (
        <p className="note">
          Without the permission to see app statistics you can assign only the role Buyer, which users of this console cannot hold. Create a
          buyer instead, or ask an administrator.
        </p>
      )}
      {reader !== null && (
        <ShortRows rows={choices} noun="roles" textOf={({ label }) => label} isMarked={({ label }) => form.values.roles.includes(label)}>
          {(shownRoles) =>
            shownRoles.map((role) => <RoleChoiceBox key={role.id} role={role} form={form} reader={reader} isLocked={isLocked} />)
          }
        </ShortRows>
      )}
      {error !== undefined && (
        <p className={classes['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function RoleChoiceBox({ role, form, reader, isLocked }: Omit<Props, 'roles'> & { role: RoleChoice; reader: SessionUser }) {
  const { roles } = form.values;
  const isChosen = roles.includes(role.label);
  const lock = roleLock(role, form.origin, reader);
  return (
    <div className={classes['check']}>
      <Checkbox
        label={<VisibleText text={role.label} />}
        checked={isChosen}
        disabled={isLocked || lock !== null}
        onChange={() => form.set({ roles: isChosen ? roles.filter((label) => label !== role.label) : [...roles, role.label] })}
      />
      <TooltipIcon label={lock === null ? tooltipOf(role) : `${tooltipOf(role)}. ${lock}`} size="s" />
    </div>
  );
}
