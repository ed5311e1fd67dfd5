import type { Counter } from '@switchyard/contract/app-statistics';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { counterSentence, groupedNumber } from './counter-text.ts';
import classes from './traffic.module.css';

/** Both figures of a counter as one, `all | success`, with their ratio in the tooltip (APPS-022). */
export function CounterPair({ counter }: { counter: Counter }) {
  return (
    <HoverTooltip label={counterSentence(counter)} position="bottom-to-left">
      <span className={classes['pair']} data-zero={counter.all === 0 || undefined}>
        <span className={counter.all === 0 ? classes['zero'] : undefined}>{groupedNumber(counter.all)}</span>
        <span className={classes['bar']}> | </span>
        <span className={counter.all === 0 ? classes['zero'] : classes['success']}>{groupedNumber(counter.success)}</span>
      </span>
    </HoverTooltip>
  );
}
