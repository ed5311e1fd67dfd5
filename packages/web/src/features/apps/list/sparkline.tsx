import { displayDay } from '@switchyard/contract/dates';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { groupedNumber } from '../../../shared/ui/text-format.ts';
import classes from './sparkline.module.css';

const bar = { width: 7, gap: 2, height: 18 } as const;

/** The numbers of a sparkline, as they are read out: `14.11.2026: 120, …, today: 7`. The last day is today. */
function sparklineSentence(days: readonly string[], requests: readonly number[]): string {
  const parts = days.map((day, index) => {
    const name = index === days.length - 1 ? 'today' : displayDay(day);
    return `${name}: ${groupedNumber(requests[index] ?? 0)}`;
  });
  return parts.join(', ');
}

/** Requests of an app by day as small bars; the highest fills the height, and any request shows. */
export function Sparkline({ days, requests }: { days: readonly string[]; requests: readonly number[] }) {
  const most = Math.max(1, ...requests);
  const width = days.length * (bar.width + bar.gap) - bar.gap;
  const sentence = sparklineSentence(days, requests);
  // A line as wide as a bar for each day: a page of apps has a hundred days.
  const bars = days.map((_, index) => {
    const count = requests[index] ?? 0;
    const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * bar.height));
    return `M${index * (bar.width + bar.gap) + bar.width / 2} ${bar.height}v-${height}`;
  });
  return (
    <HoverTooltip label={sentence} position="bottom-to-left" attributes={{ role: 'img', 'aria-label': sentence }}>
      <svg className={classes['chart']} aria-hidden width={width} height={bar.height + 1}>
        <path className={classes['bars']} d={bars.slice(0, -1).join('')} strokeWidth={bar.width} />
        <path className={classes['bars']} data-today d={bars.slice(-1).join('')} strokeWidth={bar.width} />
      </svg>
    </HoverTooltip>
  );
}
