import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './form.module.css';

type Props = {
  title: string;
  /** One sentence on what the section decides. */
  summary: string;
  /** Whether its fields show what is, but cannot be changed; left out where that never happens. */
  isLocked?: boolean;
  children: ReactNode;
};

/** A part of a form: its heading and sentence beside its fields, above them on narrow screens. */
export function FormSection({ title, summary, isLocked, children }: Props) {
  const id = useId();
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <div className={classes['about']}>
        <Title order={2} id={id} tabIndex={-1} className={classes['heading'] ?? ''}>
          {title}
        </Title>
        <p className={classes['summary']}>{summary}</p>
      </div>
      {isLocked === undefined ? (
        <div className={classes['fields']}>{children}</div>
      ) : (
        <fieldset className={classes['fields']} disabled={isLocked}>
          {children}
        </fieldset>
      )}
    </section>
  );
}
