import type { ReactNode } from 'react';
import { CopyIcon } from '../ui/copy.tsx';
import classes from './json-panel.module.css';

type Props = {
  title: string;
  tone?: 'danger' | undefined;
  /** The text to copy; without it there is no copy button. */
  copyText?: string | (() => string) | undefined;
  /** Shown before the copy button. */
  note?: ReactNode;
  children: ReactNode;
};

/** A section of a side panel: a heading with a copy button, and the content. */
export function PanelPart({ title, tone, copyText, note, children }: Props) {
  return (
    <section className={classes['part']} aria-label={title}>
      <div className={classes['partHead']}>
        <h3 className={classes['partTitle']} data-tone={tone}>
          {title}
        </h3>
        {note}
        {copyText !== undefined && <CopyIcon text={copyText} label={`Copy ${title.toLowerCase()}`} />}
      </div>
      {children}
    </section>
  );
}
