import type { Comparison } from '@switchyard/contract/home';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
/** The smallest share that the text tells. */
const leastShare = 0.001;

/** How the figure of today differs from yesterday's, in words and percent: `20% more than yesterday (1,000)`. */
export function changeText({ today, yesterday }: Comparison): string {
  if (yesterday === 0) return today === 0 ? 'None yesterday either' : 'None yesterday';
  if (today === yesterday) return 'The same as yesterday';
  const share = Math.abs(today - yesterday) / yesterday;
  const amount = share < leastShare ? `Under ${percent.format(leastShare)}` : percent.format(share);
  return `${amount} ${today > yesterday ? 'more' : 'less'} than yesterday (${groupedNumber(yesterday)})`;
}
