import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './form.module.css';

type Props = {
  title: string;
  /** One sentence about the section. */
  summary: string;
  /** Whether the fields are read-only; left out if they never are. */
  isLocked?: boolean;
  children: ReactNode;
};

/** A section of a form: heading and summary beside the fields, or above them on narrow screens. */
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
