import { requestTypes } from '@switchyard/contract/requests';
import { groupedNumber } from '../counter-text.ts';
import { typeColour } from '../request-type-label.tsx';
import type { Counts } from './histogram-view.ts';
import classes from './histogram.module.css';

type Props = {
  counts: Counts;
  /** The counts of all that is in view: they need the most room, so that nothing moves while a part of it is shown. */
  most: Counts;
};

/** Each type in its colour with how many requests are of it. */
export function TypeLegend({ counts, most }: Props) {
  return (
    <ul className={classes['legend']} aria-label="Requests by type">
      {requestTypes.map((type) => (
        <li key={type} className={classes['entry']} data-none={counts[type] === 0 || undefined}>
          <span className={classes['swatch']} style={{ background: typeColour(type) }} aria-hidden />
          {type}{' '}
          <span className={classes['count']} style={{ minWidth: `${groupedNumber(most[type]).length}ch` }}>
            {groupedNumber(counts[type])}
          </span>
        </li>
      ))}
    </ul>
  );
}
