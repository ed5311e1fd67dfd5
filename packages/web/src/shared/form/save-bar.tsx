import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPointFilled } from '@tabler/icons-react';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import { usePublishedHeight } from '../ui/use-published-height.ts';
import classes from './save-bar.module.css';

type Props = {
  /** Labels of the fields whose values are not saved. */
  changed: readonly string[];
  errorCount: number;
  /** Messages of the server that belong to no field. */
  strays: readonly string[];
  /** Stands in place of the state, e.g. why nothing can be saved. */
  notice?: string | undefined;
  /** Null where the account may not save (CONF-034). */
  save: { isEnabled: boolean; isBusy?: boolean } | null;
  /** What the button says. */
  saveLabel?: string;
  onDiscard: () => void;
};

const focusFallbacks = ['[data-focus-home]'];

/** The foot of the form, always in view: what is not saved yet, what is wrong, and the button that saves. */
export function SaveBar({ changed, errorCount, strays, notice, save, saveLabel = 'Save', onDiscard }: Props) {
  const bar = useKeptFocus<HTMLElement>(focusFallbacks);
  const publishHeight = usePublishedHeight('--sy-save-bar-height');
  return (
    <section ref={bar} className={classes['bar']} aria-label="Save">
      <div ref={publishHeight} className={classes['height']} aria-hidden />
      {/* Takes the keyboard when neither button is left: once everything is saved or discarded. */}
      <div className={classes['state']} aria-live="polite" tabIndex={-1} data-focus-home>
        {strays.map((text) => (
          <p key={text} className={classes['line']} data-tone="danger">
            <IconAlertTriangle size={16} stroke={1.7} aria-hidden /> {text}
          </p>
        ))}
        <State changed={changed} errorCount={errorCount} notice={notice} />
      </div>
      {save !== null && (
        <div className={classes['buttons']}>
          {changed.length > 0 && (
            <Button variant="subtle" color="neutral" onClick={onDiscard}>
              Discard
            </Button>
          )}
          <Button type="submit" disabled={!save.isEnabled} aria-busy={save.isBusy === true || undefined}>
            {saveLabel}
          </Button>
        </div>
      )}
    </section>
  );
}

function State({ changed, errorCount, notice }: Pick<Props, 'changed' | 'errorCount' | 'notice'>) {
  if (notice !== undefined) return <p className={classes['line']}>{notice}</p>;
  if (errorCount > 0) {
    return (
      <p className={classes['line']} data-tone="danger">
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        {errorCount === 1 ? 'One field needs to be corrected' : `${errorCount} fields need to be corrected`}
      </p>
    );
  }
  if (changed.length === 0) return <p className={classes['line']}>Nothing changed</p>;
  const rest = changed.length - 4;
  return (
    <p className={classes['line']} data-tone="warning">
      <IconPointFilled size={14} aria-hidden />
      <span>
        Not saved: {changed.slice(0, 4).join(', ')}
        {rest > 0 && ` and ${rest} more`}
      </span>
    </p>
  );
}
