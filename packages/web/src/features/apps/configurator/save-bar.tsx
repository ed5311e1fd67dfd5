import { Button } from '@mantine/core';
import { appMessages } from '@switchyard/contract/app-rules';
import { IconAlertTriangle, IconPointFilled } from '@tabler/icons-react';
import { partLabels } from './app-fields.ts';
import type { BodyKey } from './app-form-values.ts';
import classes from './save-bar.module.css';

type Props = {
  changed: readonly BodyKey[];
  errorCount: number;
  /** Messages of the server that belong to no field. */
  strays: readonly string[];
  isArchived: boolean;
  /** Null where the account may not save (CONF-034). */
  save: { isEnabled: boolean; isBusy: boolean } | null;
  onDiscard: () => void;
};

/** The foot of the form, always in view: what is not saved yet, what is wrong, and the button that saves. */
export function SaveBar({ changed, errorCount, strays, isArchived, save, onDiscard }: Props) {
  return (
    <section className={classes['bar']} aria-label="Save">
      <div className={classes['state']} aria-live="polite">
        {strays.map((text) => (
          <p key={text} className={classes['line']} data-tone="danger">
            <IconAlertTriangle size={16} stroke={1.7} aria-hidden /> {text}
          </p>
        ))}
        <State changed={changed} errorCount={errorCount} isArchived={isArchived} />
      </div>
      {save !== null && (
        <div className={classes['buttons']}>
          {changed.length > 0 && (
            <Button variant="subtle" color="neutral" onClick={onDiscard}>
              Discard
            </Button>
          )}
          <Button type="submit" disabled={!save.isEnabled} aria-busy={save.isBusy || undefined}>
            Save
          </Button>
        </div>
      )}
    </section>
  );
}

function State({ changed, errorCount, isArchived }: Pick<Props, 'changed' | 'errorCount' | 'isArchived'>) {
  if (isArchived) return <p className={classes['line']}>{appMessages.archived}</p>;
  if (errorCount > 0) {
    return (
      <p className={classes['line']} data-tone="danger">
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        {errorCount === 1 ? 'One field needs to be corrected' : `${errorCount} fields need to be corrected`}
      </p>
    );
  }
  if (changed.length === 0) return <p className={classes['line']}>Nothing changed</p>;
  const labels = changed.map((key) => partLabels[key]);
  const rest = labels.length - 4;
  return (
    <p className={classes['line']} data-tone="warning">
      <IconPointFilled size={14} aria-hidden />
      <span>
        Not saved: {labels.slice(0, 4).join(', ')}
        {rest > 0 && ` and ${rest} more`}
      </span>
    </p>
  );
}
