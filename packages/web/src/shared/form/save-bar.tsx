import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPointFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { askConfirm } from '../ui/confirm.tsx';
import { useReadOnly } from '../ui/read-only.tsx';
import { useFocusFallback } from '../ui/use-focus-fallback.ts';
import { usePublishedHeight } from '../ui/use-published-height.ts';
import classes from './save-bar.module.css';

type Props = {
  /** Labels of the fields whose values are not saved. */
  changedFields: readonly string[];
  errorCount: number;
  /** Labels of required fields that are empty. */
  missing?: readonly string[];
  /** Messages of the server that belong to no field. */
  unmatchedMessages: readonly string[];
  /** Shown instead of the state, e.g. why nothing can be saved. */
  notice?: string | undefined;
  /** Null if the account may not save. */
  save: { isEnabled: boolean; isBusy?: boolean } | null;
  saveLabel?: string;
  onDiscard: () => void;
  /** Below the state, e.g. what a save would change for others. */
  details?: ReactNode;
};

const focusFallbacks = ['[data-focus-home]'];
const none: readonly string[] = [];

/** The question asked before changes to several fields are discarded. */
function discardConfirm(changedFields: readonly string[]) {
  return { title: 'Discard changes?', lines: [`These changes are lost: ${changedFields.join(', ')}.`], isDangerous: true };
}

/** The bar at the bottom of a form, always in view: what is unsaved, what is invalid or missing, and the Save button. */
export function SaveBar({
  changedFields,
  errorCount,
  missing = none,
  unmatchedMessages,
  notice,
  save,
  saveLabel = 'Save',
  onDiscard,
  details,
}: Props) {
  const discard = (): void => {
    if (changedFields.length < 2) onDiscard();
    else askConfirm({ ...discardConfirm(changedFields), isLocal: true, action: () => Promise.resolve(onDiscard()) });
  };
  const readOnly = useReadOnly();
  const bar = useFocusFallback<HTMLElement>(focusFallbacks);
  const publishHeight = usePublishedHeight('--sy-save-bar-height');
  return (
    <section ref={bar} className={classes['bar']} aria-label="Save" data-save-bar>
      <div ref={publishHeight} className={classes['height']} aria-hidden />
      {/* Gets the focus when no button is left: once everything is saved or discarded. */}
      <div className={classes['state']} aria-live="polite" tabIndex={-1} data-focus-home>
        {unmatchedMessages.map((text) => (
          <p key={text} className={classes['line']} data-tone="danger">
            <IconAlertTriangle size={16} stroke={1.7} aria-hidden /> {text}
          </p>
        ))}
        <State changedFields={changedFields} errorCount={errorCount} missing={missing} notice={readOnly ?? notice} />
        {details}
      </div>
      {save !== null && (
        <div className={classes['buttons']}>
          {changedFields.length > 0 && (
            <Button variant="subtle" color="neutral" onClick={discard}>
              Discard
            </Button>
          )}
          <Button type="submit" disabled={!save.isEnabled || readOnly !== null} aria-busy={save.isBusy === true || undefined}>
            {saveLabel}
          </Button>
        </div>
      )}
    </section>
  );
}

type StateProps = Pick<Props, 'changedFields' | 'errorCount' | 'notice'> & { missing: readonly string[] };

function State({ changedFields, errorCount, missing, notice }: StateProps) {
  if (notice !== undefined) return <p className={classes['line']}>{notice}</p>;
  if (errorCount > 0) {
    return (
      <p className={classes['line']} data-tone="danger">
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        {errorCount === 1 ? 'One field needs to be corrected' : `${errorCount} fields need to be corrected`}
      </p>
    );
  }
  if (missing.length > 0) return <p className={classes['line']}>Still needed: {missing.join(', ')}</p>;
  if (changedFields.length === 0) return <p className={classes['line']}>Nothing changed</p>;
  const rest = changedFields.length - 4;
  return (
    <p className={classes['line']} data-tone="warning">
      <IconPointFilled size={14} aria-hidden />
      <span>
        Not saved: {changedFields.slice(0, 4).join(', ')}
        {rest > 0 && ` and ${rest} more`}
      </span>
    </p>
  );
}
