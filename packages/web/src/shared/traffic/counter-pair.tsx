import type { Counter } from '@switchyard/contract/app-statistics';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';
import { useIsCompact } from '../ui/number-form.ts';
import { compactNumber, counterSentence, groupedNumber } from './counter-text.ts';
import classes from './traffic.module.css';

/** Both figures of a counter as one, `all | success`, exact and with their ratio in the tooltip (APPS-022). */
export function CounterPair({ counter }: { counter: Counter }) {
  const written = useIsCompact() ? compactNumber : groupedNumber;
  return (
    <HoverTooltip label={counterSentence(counter)} position="bottom-to-left">
      <span className={classes['pair']} data-zero={counter.all === 0 || undefined}>
        <span className={counter.all === 0 ? classes['zero'] : undefined}>{written(counter.all)}</span>
        <span className={classes['bar']}> | </span>
        <span className={counter.all === 0 ? classes['zero'] : classes['success']}>{written(counter.success)}</span>
      </span>
    </HoverTooltip>
  );
}

/** One figure of a table; in compact form the exact number is in its tooltip. */
export function Figure({ value }: { value: number }) {
  const exact = groupedNumber(value);
  const text = useIsCompact() ? compactNumber(value) : exact;
  return text === exact ? exact : <HoverTooltip label={exact}>{text}</HoverTooltip>;
}
