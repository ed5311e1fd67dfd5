import type { Pagination } from '@switchyard/contract/envelope';
import classes from './list-footer.module.css';

type Props = { pagination: Pick<Pagination, 'links' | 'current_page' | 'last_page'>; onGo: (page: number) => void };

/**
 * Pages by the links that the server gave, their labels as they came: the first label moves one page back, the last
 * one page on. A step is offered only where there is a page: the next below the last page (WID-019, WID-020).
 */
export function LinksPages({ pagination: { links, current_page: current, last_page: last }, onGo }: Props) {
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

/** The page a step leads to, null where there is none; from a page past the end the step back leads to the last. */
function stepFrom(current: number, last: number, step: -1 | 1): number | null {
  if (step === 1) return current < last ? current + 1 : null;
  return current > 1 ? Math.min(current - 1, last) : null;
}
