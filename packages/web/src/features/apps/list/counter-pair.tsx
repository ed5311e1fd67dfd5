import type { Counter } from '@switchyard/contract/app-statistics';
import { useIsCompact } from '../../../shared/ui/figure.tsx';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { compactNumber, groupedNumber, percentText } from '../../../shared/ui/text-format.ts';
import classes from './counter-pair.module.css';

/** Both figures of a counter as one, `all | success`, exact and with their ratio in the tooltip. */
export function CounterPair({ counter }: { counter: Counter }) {
  const formatNumber = useIsCompact() ? compactNumber : groupedNumber;
  const all = formatNumber(counter.all);
  const success = ` | ${formatNumber(counter.success)}`;
  const isZero = counter.all === 0;
  return (
    <HoverTooltip
      label={() => counterSentence(counter)}
      position="bottom-to-left"
      className={isZero ? `${classes['pair'] ?? ''} ${classes['zero'] ?? ''}` : (classes['pair'] ?? '')}
    >
      {all}
      {isZero ? success : <span className={classes['success']}>{success}</span>}
    </HoverTooltip>
  );
}

/** Both figures of a counter, as they are read out: `10 in all, 9 successful (90%)`. */
export function counterSentence({ all, success }: Counter): string {
  if (all === 0) return 'None';
  return `${groupedNumber(all)} in all, ${groupedNumber(success)} successful (${percentText(success / all)})`;
}
