import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './list-footer.module.css';

type Props = { previous: string | null; next: string | null; onGo: (cursor: string) => void };

/** 'Prev' and 'Next', each disabled when there is no cursor for it (WID-021, WID-022). */
export function CursorPages({ previous, next, onGo }: Props) {
  return (
    <nav aria-label="Pages">
      <ul className={classes['list']}>
        <li>
          <button
            type="button"
            className={classes['step']}
            disabled={previous === null}
            onClick={() => previous !== null && onGo(previous)}
          >
            <IconChevronLeft size={14} aria-hidden />
            Prev
          </button>
        </li>
        <li>
          <button type="button" className={classes['step']} disabled={next === null} onClick={() => next !== null && onGo(next)}>
            Next
            <IconChevronRight size={14} aria-hidden />
          </button>
        </li>
      </ul>
    </nav>
  );
}
