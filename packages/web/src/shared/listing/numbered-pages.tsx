import { pageLinks } from '@switchyard/contract/envelope';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './list-footer.module.css';
import { grouped } from './range-text.ts';

type Props = { current: number; total: number; onGo: (page: number) => void };

/**
 * Numbered pages: the first, the last, the current and two on each side of it, with `...` where pages are left out;
 * a click on the current page does nothing, and with one page nothing is shown (WID-014 to WID-018).
 */
export function NumberedPages({ current, total, onGo }: Props) {
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
                aria-label={`Page ${grouped.format(page)}`}
                aria-current={active ? 'page' : undefined}
                onClick={() => !active && onGo(page)}
              >
                {grouped.format(page)}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
