import { Checkbox, type CheckboxProps } from '@mantine/core';
import { useId } from 'react';
import { VisibleText } from '../ui/visible-text.tsx';
import { withAll, type PermissionGroup as Group } from './permission-groups.ts';
import classes from './permission-group.module.css';

type Props = {
  group: Group;
  chosenIds: readonly number[];
  onChange: (chosenIds: readonly number[]) => void;
  /** Nothing can be changed. */
  isLocked: boolean;
  /** Whether the account may grant a permission; the others are shown but cannot be chosen. */
  mayGrant: (permission: Group['permissions'][number]) => boolean;
  /** A message about one permission. */
  error?: { readonly label: string; readonly message: string } | undefined;
};

/** Permissions of one category as checkboxes, under one that chooses all of them. */
export function PermissionGroup({ group: { name, permissions }, chosenIds, onChange, isLocked, mayGrant, error }: Props) {
  const own = permissions.filter(({ id }) => chosenIds.includes(id)).length;
  const open = permissions.filter((permission) => !isLocked && mayGrant(permission)).map(({ id }) => id);
  const areAllOn = open.every((id) => chosenIds.includes(id));
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
          onChange={() => onChange(withAll(chosenIds, open, !areAllOn))}
        />
        <span className={classes['count']}>
          {own} of {permissions.length}
        </span>
      </div>
      <div className={classes['permissions']}>
        {permissions.map((permission) => {
          const isGrantable = mayGrant(permission);
          return (
            <PermissionBox
              key={permission.id}
              permission={permission}
              isGrantable={isLocked || isGrantable}
              checked={chosenIds.includes(permission.id)}
              disabled={isLocked || !isGrantable}
              error={error?.label === permission.label ? error.message : undefined}
              onChange={(event) => onChange(withAll(chosenIds, [permission.id], event.currentTarget.checked))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

type BoxProps = Pick<CheckboxProps, 'checked' | 'disabled' | 'error' | 'onChange'> & {
  permission: Group['permissions'][number];
  /** False adds the reason why it cannot be chosen. */
  isGrantable: boolean;
};

/** The checkbox of a permission, named by its label and described by its plain name, which comes first for the eye. */
function PermissionBox({ permission: { label, description }, isGrantable, ...box }: BoxProps) {
  const id = useId();
  const reason = 'Your account does not have it, so you cannot grant it.';
  return (
    <Checkbox
      {...box}
      size="sm"
      aria-label={label}
      aria-describedby={`${id}-name ${id}-reason`}
      label={
        <>
          <span id={`${id}-name`} className={classes['name']}>
            <VisibleText text={description ?? ''} />
          </span>
          <span className={classes['label']}>{label}</span>
          <span id={`${id}-reason`} className={classes['reason']}>
            {!isGrantable && reason}
          </span>
        </>
      }
    />
  );
}
