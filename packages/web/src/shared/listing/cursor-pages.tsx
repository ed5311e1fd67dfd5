import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './list-footer.module.css';

type Props = {
  previous: string | null;
  next: string | null;
  /** The cursors are those of the page before; a press would lead to where one is going already. */
  isBehind?: boolean;
  onGo: (cursor: string) => void;
};

/** 'Prev' and 'Next', each disabled when there is no cursor for it (WID-021, WID-022). */
export function CursorPages({ previous, next, isBehind = false, onGo }: Props) {
  const go = (cursor: string | null): void => {
    if (cursor !== null && !isBehind) onGo(cursor);
  };
  return (
    <nav aria-label="Pages">
      <ul className={classes['list']}>
        <li>
          <button
            type="button"
            className={classes['step']}
            disabled={previous === null}
            aria-disabled={isBehind || undefined}
            onClick={() => go(previous)}
          >
            <IconChevronLeft size={14} aria-hidden />
            Prev
          </button>
        </li>
        <li>
          <button
            type="button"
            className={classes['step']}
            disabled={next === null}
            aria-disabled={isBehind || undefined}
            onClick={() => go(next)}
          >
            Next
            <IconChevronRight size={14} aria-hidden />
          </button>
        </li>
      </ul>
    </nav>
  );
}
