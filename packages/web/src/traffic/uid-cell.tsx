import { CopyIcon } from '../shared/ui/copy.tsx';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import { shortUid } from '../shared/ui/text-format.ts';
import classes from './uid-cell.module.css';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { withMarks } from '../shared/ui/hidden-characters.ts';
import { uidEnds } from '../shared/ui/display-limits.ts';
import type { ValueKind } from './value-actions.ts';
import { ValueMenu } from './value-menu.tsx';

type Props = {
  uid: string | null;
  /** Noun for the copy button, e.g. `client uid`. */
  noun: string;
  /** Shortens a long uid to its two ends. */
  isShort?: boolean;
  /** Gives the uid a menu. */
  kind?: ValueKind;
};

/** A uid in a table, `-` for none. Its tooltip shows it in full; a button to copy it appears when the row is hovered. */
export function UidCell({ uid, noun, isShort = false, kind }: Props) {
  if (uid === null || uid === '') return '-';
  const text = isShort ? shortUid(uid, uidEnds) : uid;
  const content = (
    <span className="cut mono">
      <VisibleText text={text} />
    </span>
  );
  return (
    <span className={classes['cell']}>
      <HoverTooltip
        label={
          <span className={classes['whole']}>
            <VisibleText text={uid} />
          </span>
        }
        isFocusable={text !== uid && kind === undefined}
        className={classes['target'] ?? ''}
      >
        {kind === undefined ? (
          content
        ) : (
          <ValueMenu kind={kind} value={uid}>
            {content}
          </ValueMenu>
        )}
      </HoverTooltip>
      <CopyIcon className={classes['copy']} text={uid} label={`Copy ${noun} ${withMarks(uid)}`} />
    </span>
  );
}
