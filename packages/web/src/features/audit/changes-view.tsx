import { VisuallyHidden } from '@mantine/core';
import type { AuditChange } from '@switchyard/contract/audit';
import classes from './activity.module.css';
import { fieldChange, type FieldChange } from './field-change.ts';
import type { DiffLine } from './line-diff.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { fieldLabel } from '@switchyard/contract/audit-fields';
import { useValueNames } from './use-value-names.ts';

/** The differences of a change by field: removed and added values. */
export function ChangesView({
  changes,
  none = 'No value was changed.',
}: {
  changes: readonly AuditChange[];
  /** Text without any change. */
  none?: string;
}) {
  const nameOf = useValueNames(changes);
  if (changes.length === 0) return <p className={classes['none']}>{none}</p>;
  return (
    <dl className={classes['changes']} aria-label="Differences">
      {changes.map(({ field, from, to }) => (
        <div key={field} className={classes['change']}>
          <dt className={classes['field']} title={field}>
            {fieldLabel(field)}
          </dt>
          <dd className={classes['values']}>
            <Change change={fieldChange({ field, from, to }, nameOf)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Old and new value of a field. */
export function Change({ change }: { change: FieldChange }) {
  switch (change.kind) {
    case 'secret':
      return <p className={classes['none']}>Changed. The value is secret and is not stored in the trail.</p>;
    case 'list':
      return (
        <>
          {change.removed.map((text) => (
            <Before key={`- ${text}`} text={text} />
          ))}
          {change.added.map((text) => (
            <After key={`+ ${text}`} text={text} />
          ))}
          {change.kept > 0 && <p className={classes['none']}>{change.kept} unchanged</p>}
        </>
      );
    case 'lines':
      return (
        <div className={classes['lines']}>
          {change.lines.map(({ place, ...line }) => (
            <Line key={place} line={line} />
          ))}
        </div>
      );
    default:
      return (
        <>
          {change.before !== null && <Before text={change.before} />}
          {change.after === null ? <p className={classes['none']}>Now empty</p> : <After text={change.after} />}
        </>
      );
  }
}

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'folded') return <p className={classes['none']}>{line.count} equal lines</p>;
  if (line.kind === 'removed') return <Before text={line.text} />;
  if (line.kind === 'added') return <After text={line.text} />;
  return (
    <p className={classes['same']}>
      <VisibleText text={line.text} />
    </p>
  );
}

function Before({ text }: { text: string }) {
  return (
    <del className={classes['before']}>
      <VisuallyHidden>Before: </VisuallyHidden>
      <VisibleText text={text} />
    </del>
  );
}

function After({ text }: { text: string }) {
  return (
    <ins className={classes['after']}>
      <VisuallyHidden>After: </VisuallyHidden>
      <VisibleText text={text} />
    </ins>
  );
}
