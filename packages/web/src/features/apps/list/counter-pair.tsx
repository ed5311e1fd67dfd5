import type { Counter } from '@switchyard/contract/app-statistics';
import { useIsCompact } from '../../../shared/ui/figure.tsx';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { compactNumber, groupedNumber } from '../../../shared/ui/text-format.ts';
import classes from './counter-pair.module.css';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Both figures of a counter as one, `all | success`, exact and with their ratio in the tooltip. */
export function CounterPair({ counter }: { counter: Counter }) {
  const formatNumber = useIsCompact() ? compactNumber : groupedNumber;
  return (
    <HoverTooltip label={counterSentence(counter)} position="bottom-to-left">
      <span className={classes['pair']} data-zero={counter.all === 0 || undefined}>
        <span className={counter.all === 0 ? classes['zero'] : undefined}>{formatNumber(counter.all)}</span>
        <span className={classes['bar']}> | </span>
        <span className={counter.all === 0 ? classes['zero'] : classes['success']}>{formatNumber(counter.success)}</span>
      </span>
    </HoverTooltip>
  );
}

/** Both figures of a counter, as they are read out: `10 in all, 9 successful (90%)`. */
export function counterSentence({ all, success }: Counter): string {
  if (all === 0) return 'None';
  return `${groupedNumber(all)} in all, ${groupedNumber(success)} successful (${percent.format(success / all)})`;
}
