import { uidEnds } from '@switchyard/contract/limits';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { shortUid } from '../ui/short-uid.ts';
import classes from './uid-cell.module.css';
import { VisibleText } from '../ui/visible-text.tsx';
import { withMarks } from '../ui/hidden-characters.ts';

type Props = {
  uid: string | null;
  /** What it is, for the copy button, e.g. `client uid`. */
  noun: string;
  /** Long ones show their ends only (CONV-018). */
  isShort?: boolean;
};

/** A uid in a table, `-` for none: the whole of it in a tooltip, copied by an icon that waits until its row is pointed at. */
export function UidCell({ uid, noun, isShort = false }: Props) {
  if (uid === null || uid === '') return '-';
  const text = isShort ? shortUid(uid, uidEnds) : uid;
  return (
    <span className={classes['cell']}>
      <HoverTooltip
        label={
          <span className={classes['whole']}>
            <VisibleText text={uid} />
          </span>
        }
        isFocusable={text !== uid}
        className={classes['target'] ?? ''}
      >
        <span className={`${classes['text'] ?? ''} mono`}>
          <VisibleText text={text} />
        </span>
      </HoverTooltip>
      <CopyIcon className={classes['copy']} text={uid} label={`Copy ${noun} ${withMarks(uid)}`} />
    </span>
  );
}
