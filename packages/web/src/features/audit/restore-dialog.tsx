import { Alert, Checkbox, Skeleton } from '@mantine/core';
import type { Revision, RevisionDifference } from '@switchyard/contract/history';
import { fieldLabel } from '@switchyard/contract/audit-fields';
import { useState } from 'react';
import { call, failingInPlace } from '../../shared/api/call.ts';
import { CallError } from '../../shared/api/call-error.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { RetryNote } from '../../shared/ui/retry.tsx';
import classes from './activity.module.css';
import { entityName } from './audit-words.ts';
import { Change } from './changes-view.tsx';
import { fieldChange, type NameOfValue } from './field-change.ts';
import type { HistoryKind } from './history-kinds.ts';
import { useComparison } from './use-comparison.ts';
import { useValueNames } from './use-value-names.ts';

type Props = {
  kind: HistoryKind;
  id: number;
  /** Name of the entity. */
  name: string;
  /** The revision to restore; null closes the dialog. */
  revision: Revision | null;
  onClose: () => void;
  onRestored: () => void;
};

/** Shows what restoring a revision will change, lets the reader choose the fields, and restores them. */
export function RestoreDialog({ revision, onClose, ...props }: Props) {
  const displayDate = useDisplayDate();
  // Keeps the revision during the fade-out.
  const [shownRevision, setShownRevision] = useState(revision);
  if (revision !== null && revision !== shownRevision) setShownRevision(revision);
  return (
    <Popup
      isOpen={revision !== null}
      onClose={onClose}
      title={shownRevision === null ? 'Restore' : `Restore the revision of ${displayDate(shownRevision.at)}?`}
      width={720}
      closeOnBackdrop={false}
    >
      {shownRevision !== null && <RestoreForm key={shownRevision.id} {...props} revision={shownRevision} onClose={onClose} />}
    </Popup>
  );
}

const none: readonly RevisionDifference[] = [];

function RestoreForm({ kind, id, name, revision, onClose, onRestored }: Omit<Props, 'revision'> & { revision: Revision }) {
  const displayDate = useDisplayDate();
  const { data, error, isFetching, refetch } = useComparison({ kind, id, to: revision.id });
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const differences = data?.differences ?? none;
  const nameOf = useValueNames(differences);
  const chosenFields = differences.filter(({ field, restorable }) => restorable && !leftOut.has(field)).map(({ field }) => field);

  const toggle = (field: string): void => {
    setFailure(null);
    const next = new Set(leftOut);
    if (!next.delete(field)) next.add(field);
    setLeftOut(next);
  };
  const restore = async (): Promise<void> => {
    if (data === undefined) return;
    setBusy(true);
    try {
      await call(kind.calls.restore, {
        params: { id, revision: revision.id },
        body: { fields: chosenFields },
        ifMatch: data.version,
        ...failingInPlace,
      });
      const what = `${entityName(kind.entity)} "${withMarks(name)}"`;
      notify({ type: 'success', message: `${what} restored to the revision of ${displayDate(revision.at)}` });
      onRestored();
      onClose();
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem;
      setFailure(problem);
      if (problem.status === 412) await refetch();
    } finally {
      setBusy(false);
    }
  };

  if (data === undefined) {
    if (error === null) {
      return (
        <output aria-label="Loading">
          <Skeleton height={160} />
        </output>
      );
    }
    return (
      <RetryNote isRunning={isFetching} onRetry={refetch}>
        {error.message}
      </RetryNote>
    );
  }
  return (
    <DialogForm
      submitLabel={chosenFields.length === 1 ? 'Restore 1 field' : `Restore ${chosenFields.length} fields`}
      isEnabled={chosenFields.length > 0 && !isBusy && !isFetching}
      onSubmit={() => void restore()}
      onCancel={onClose}
    >
      <Failure failure={failure} />
      {differences.length === 0 ? (
        <p className="note">Nothing has changed since this revision.</p>
      ) : (
        <ul className={classes['restored']} aria-label="What will change">
          {differences.map((difference) => (
            <Field
              key={difference.field}
              difference={difference}
              nameOf={nameOf}
              isChosen={chosenFields.includes(difference.field)}
              onToggle={() => toggle(difference.field)}
            />
          ))}
        </ul>
      )}
    </DialogForm>
  );
}

function Failure({ failure }: { failure: CallError | null }) {
  if (failure === null) return null;
  const messages = Object.values(failure.fields).flat();
  const text = failure.status === 412 ? 'Somebody changed it meanwhile. These are the differences now.' : messages.join(' ');
  return (
    <Alert color="danger" variant="light" role="alert">
      {text === '' ? failure.message : text}
    </Alert>
  );
}

type FieldProps = { difference: RevisionDifference; nameOf: NameOfValue; isChosen: boolean; onToggle: () => void };

function Field({ difference: { field, from, to, restorable, remark }, nameOf, isChosen, onToggle }: FieldProps) {
  return (
    <li className={classes['change']}>
      <Checkbox
        label={fieldLabel(field)}
        checked={isChosen}
        disabled={!restorable}
        onChange={onToggle}
        {...(remark === null ? {} : { description: remark })}
      />
      <div className={classes['values']}>
        {from === null && to === null ? null : <Change change={fieldChange({ field, from, to }, nameOf)} />}
      </div>
    </li>
  );
}
