import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './dev-doc.module.css';

type Props = {
  title: string;
  /** One sentence on what it is for. */
  summary: ReactNode;
  children: ReactNode;
};

/** One part of the developer page. */
export function Block({ title, summary, children }: Props) {
  const id = useId();
  return (
    <section className={classes['block']} aria-labelledby={id}>
      <div>
        <Title order={2} id={id} className={classes['heading'] ?? ''}>
          {title}
        </Title>
        <p className={classes['summary']}>{summary}</p>
      </div>
      {children}
    </section>
  );
}
