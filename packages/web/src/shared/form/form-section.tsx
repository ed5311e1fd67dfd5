import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './form.module.css';

type Props = {
  title: string;
  /** One sentence on what the section decides. */
  summary: string;
  children: ReactNode;
};

/** A part of a form: its heading and sentence beside its fields, above them on narrow screens. */
export function FormSection({ title, summary, children }: Props) {
  const id = useId();
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <div className={classes['about']}>
        <Title order={2} id={id} className={classes['heading'] ?? ''}>
          {title}
        </Title>
        <p className={classes['summary']}>{summary}</p>
      </div>
      <div className={classes['fields']}>{children}</div>
    </section>
  );
}
