import type { ReactNode } from 'react';
import { withMarks } from './hidden-characters.ts';
import classes from './marked-text.module.css';
import { VisibleText } from './visible-text.tsx';

type Props = {
  text: string;
  /** The whole text unless given. */
  title?: string;
  /** Marks before the text. */
  before?: ReactNode;
  /** Marks behind the text. */
  children?: ReactNode;
};

/** A text that is cut where its column ends, beside marks that are not. */
export function MarkedText({ text, title = withMarks(text), before, children }: Props) {
  return (
    <span className={classes['line']}>
      {before}
      <span className={classes['text']} title={title}>
        <VisibleText text={text} />
      </span>
      {children}
    </span>
  );
}
