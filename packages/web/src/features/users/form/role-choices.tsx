import { Button, Checkbox, Skeleton } from '@mantine/core';
import { accountTooltips, roleMeanings } from '@switchyard/contract/account-texts';
import { seededRoles } from '@switchyard/contract/permissions';
import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { TooltipIcon } from '../../../shared/ui/tooltip-icon.tsx';
import classes from './account-form.module.css';
import { fieldLabels } from './account-form-values.ts';
import { offeredRoles, roleRefusal } from './refusals.ts';
import type { AccountFormState } from './use-account-form.ts';
import type { RolesOnOffer } from './use-roles.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';

type Props = { form: AccountFormState; roles: RolesOnOffer; isLocked: boolean };

/** What the tooltip of a role says: what the specification says of its own roles, the name of others (USER-048, BUY-034). */
function tooltipOf({ id, badge, label, panel }: RoleChoice): string {
  const isSeeded = seededRoles.some((role) => role.id === id && role.panel === panel);
  const meaning = isSeeded ? roleMeanings[badge] : undefined;
  return meaning === undefined ? `${label}: what it allows stands on the roles page` : `${badge} ${meaning}`;
}

/** The roles of the panel as checkboxes by label (USER-019, USER-045, BUY-014). */
export function RoleChoices({ form, roles, isLocked }: Props) {
  const hasStatistics = useHoldsAny('manager_app_statistics');
  const reader = useSessionUser();
  const offered = offeredRoles(roles.list, { isNew: form.isNew, hasStatistics });
  const error = form.errorOf('roles');
  return (
    <fieldset className={classes['roles']} aria-invalid={error !== undefined}>
      <legend className={classes['legend']}>
        {fieldLabels.roles}
        <TooltipIcon label={accountTooltips.roles} size="s" />
      </legend>
      {roles.state === 'loading' && <Skeleton height={84} aria-label="Loading the roles" />}
      {roles.state === 'failed' && (
        <p className={classes['hint']}>
          The roles could not be loaded.{' '}
          <Button size="compact-xs" variant="default" onClick={roles.retry}>
            Try again
          </Button>
        </p>
      )}
      {roles.state === 'ready' && offered.length === 0 && (
        <p className={classes['hint']}>
          Without the permission to see app statistics you can give only the role Buyer, and a user of this console cannot hold it. Create a
          buyer instead, or ask an administrator.
        </p>
      )}
      {reader !== null &&
        offered.map((role) => <RoleChoiceBox key={role.id} role={role} form={form} reader={reader} isLocked={isLocked} />)}
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
  const refusal = roleRefusal(role, form.origin, reader);
  return (
    <div className={classes['check']}>
      <Checkbox
        label={<VisibleText text={role.label} />}
        checked={isChosen}
        disabled={isLocked || refusal !== null}
        onChange={() => form.set({ roles: isChosen ? roles.filter((label) => label !== role.label) : [...roles, role.label] })}
      />
      <TooltipIcon label={refusal === null ? tooltipOf(role) : `${tooltipOf(role)}. ${refusal}`} size="s" />
    </div>
  );
}
