import type { ReactNode } from 'react';
import { CopyIcon } from '../ui/copy-icon.tsx';
import classes from './json-panel.module.css';

type Props = {
  title: string;
  tone?: 'danger' | undefined;
  /** What its copy button copies; no button where there is nothing to copy. */
  copied?: string | (() => string) | undefined;
  /** Stands before the copy button. */
  note?: ReactNode;
  children: ReactNode;
};

/** A part of what lies open: its heading with what can be done with it, and below it the content. */
export function PanelPart({ title, tone, copied, note, children }: Props) {
  return (
    <section className={classes['part']} aria-label={title}>
      <div className={classes['partHead']}>
        <h3 className={classes['partTitle']} data-tone={tone}>
          {title}
        </h3>
        {note}
        {copied !== undefined && <CopyIcon text={copied} label={`Copy ${title.toLowerCase()}`} />}
      </div>
      {children}
    </section>
  );
}
