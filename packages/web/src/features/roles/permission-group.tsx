import { Checkbox } from '@mantine/core';
import type { PermissionGroup as Group } from './permission-groups.ts';
import { withAll } from './permission-groups.ts';
import classes from './role-form.module.css';

type Props = {
  group: Group;
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
  /** Nothing can be changed. */
  isLocked: boolean;
  /** Whether the account may give a permission; the others are shown but cannot be chosen. */
  mayGive: (permission: Group['permissions'][number]) => boolean;
  /** What the server has against the choice of one permission. */
  wrong?: { readonly label: string; readonly message: string } | undefined;
};

/** Permissions of one category as checkboxes, under one that chooses all of them (ROLE-013, ROLE-014). */
export function PermissionGroup({ group: { name, permissions }, chosen, onChange, isLocked, mayGive, wrong }: Props) {
  const own = permissions.filter(({ id }) => chosen.includes(id)).length;
  const open = permissions.filter((permission) => !isLocked && mayGive(permission)).map(({ id }) => id);
  const areAllOn = open.every((id) => chosen.includes(id));
  return (
    <fieldset aria-label={name} className={classes['group']}>
      <div className={classes['groupHead']}>
        <Checkbox
          size="sm"
          label={name}
          aria-label={`All of ${name}`}
          checked={own === permissions.length}
          indeterminate={own > 0 && own < permissions.length}
          disabled={open.length === 0}
          onChange={() => onChange(withAll(chosen, open, !areAllOn))}
        />
        <span className={classes['count']}>
          {own} of {permissions.length}
        </span>
      </div>
      <div className={classes['permissions']}>
        {permissions.map((permission) => {
          const isGivable = mayGive(permission);
          return (
            <Checkbox
              key={permission.id}
              size="sm"
              classNames={{ label: classes['label'] ?? '' }}
              label={permission.label}
              description={describe(permission.description, isLocked || isGivable)}
              checked={chosen.includes(permission.id)}
              disabled={isLocked || !isGivable}
              error={wrong?.label === permission.label ? wrong.message : undefined}
              onChange={(event) => onChange(withAll(chosen, [permission.id], event.currentTarget.checked))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

function describe(description: string | null, isGivable: boolean): string | undefined {
  if (isGivable) return description ?? undefined;
  const reason = 'Your account does not have it, so it cannot give it.';
  return description === null ? reason : `${description}. ${reason}`;
}
