import { pageLinks, type Pagination } from '@switchyard/contract/envelope';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { groupedNumber } from '../ui/text-format.ts';
import classes from './list-footer.module.css';

type NumberedProps = { current: number; total: number; onGo: (page: number) => void };

/**
 * Numbered pages: the first, the last, the current and two on each side of it, with `...` between them. A click on the
 * current page does nothing; a single page shows nothing.
 */
export function NumberedPages({ current, total, onGo }: NumberedProps) {
  if (total <= 1) return null;
  const links = pageLinks(current, total);
  return (
    <nav aria-label="Pages">
      <ul className={classes['list']}>
        {links.map(({ label, page, active }, at) => {
          const edge = at === 0 ? 'Previous page' : at === links.length - 1 ? 'Next page' : null;
          if (edge !== null) {
            return (
              <li key={edge}>
                <button
                  type="button"
                  className={classes['page']}
                  aria-label={edge}
                  data-page-step={at === 0 ? -1 : 1}
                  disabled={page === null}
                  onClick={() => page !== null && onGo(page)}
                >
                  {at === 0 ? <IconChevronLeft size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
                </button>
              </li>
            );
          }
          if (page === null) {
            return (
              <li key={`after ${links[at - 1]?.label ?? ''}`} className={classes['gap']} aria-hidden>
                {label}
              </li>
            );
          }
          return (
            <li key={page}>
              <button
                type="button"
                className={classes['page']}
                aria-label={`Page ${groupedNumber(page)}`}
                aria-current={active ? 'page' : undefined}
                onClick={() => !active && onGo(page)}
              >
                {groupedNumber(page)}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

type CursorProps = {
  previous: string | null;
  next: string | null;
  /** The cursors are those of the previous page while the next one loads; presses are ignored. */
  isBehind?: boolean;
  onGo: (cursor: string) => void;
};

/** 'Prev' and 'Next', each disabled when there is no cursor for it. */
export function CursorPages({ previous, next, isBehind = false, onGo }: CursorProps) {
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
            data-page-step={-1}
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
            data-page-step={1}
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

type LinksProps = { pagination: Pick<Pagination, 'links' | 'current_page' | 'last_page'>; onGo: (page: number) => void };

/**
 * Pages by the links and labels that the server gave: the first goes one page back, the last one page on. A step without a
 * page is left out.
 */
export function LinksPages({ pagination: { links, current_page: current, last_page: last }, onGo }: LinksProps) {
  if (current === null || last === null || last <= 1) return null;
  return (
    <nav aria-label="Pages">
      <ul className={classes['list']}>
        {links.map(({ label, page, active }, at) => {
          const step = at === 0 ? -1 : at === links.length - 1 ? 1 : 0;
          const target = step === 0 ? page : stepFrom(current, last, step);
          const key = `${label} after ${links[at - 1]?.label ?? 'nothing'}`;
          if (target === null) {
            return step === 0 ? (
              <li key={key} className={classes['gap']} aria-hidden>
                {label}
              </li>
            ) : null;
          }
          return (
            <li key={key}>
              <button
                type="button"
                className={classes[step === 0 ? 'page' : 'step']}
                aria-label={step === 0 ? `Page ${label}` : `${label} page`}
                data-page-step={step === 0 ? undefined : step}
                aria-current={active ? 'page' : undefined}
                onClick={() => !active && onGo(target)}
              >
                {label}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The page that a step leads to, null where there is none; from a page past the end a step back leads to the last one. */
function stepFrom(current: number, last: number, step: -1 | 1): number | null {
  if (step === 1) return current < last ? current + 1 : null;
  return current > 1 ? Math.min(current - 1, last) : null;
}
