import { Title } from '@mantine/core';
import type { Comparison, Home } from '@switchyard/contract/home';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { MissingFigure } from '../../shared/ui/figure.tsx';
import { groupedNumber, percentText } from '../../shared/ui/text-format.ts';
import classes from './attention.module.css';

const figures = [
  ['create', 'Create'],
  ['receive', 'Receive'],
  ['push', 'Push'],
  ['conversion', 'Conversion'],
] as const;

/** The traffic of today beside that of yesterday, both up to the start of this hour. */
export function TrafficOfToday({ traffic }: { traffic: Exclude<Home['traffic'], null> }) {
  const until = useDisplayDate()(traffic.until).slice(11, 16);
  return (
    <section aria-labelledby="home-traffic" className={classes['part']}>
      <Title order={2} id="home-traffic" className={classes['heading'] ?? ''}>
        Today
      </Title>
      {traffic.from === traffic.until ? (
        <p className={classes['note']}>The comparison with yesterday begins after the first full hour of the day.</p>
      ) : (
        <>
          <p className={classes['note']}>From midnight to {until}, compared with the same hours of yesterday.</p>
          <dl className={classes['figures']}>
            {figures.map(([name, label]) => (
              <Figure key={name} label={label} figure={traffic[name]} />
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

function Figure({ label, figure }: { label: string; figure: Comparison | null }) {
  return (
    <div className={classes['figure']}>
      <dt className={classes['label']}>{label}</dt>
      <dd className={classes['number']}>{figure === null ? <MissingFigure /> : groupedNumber(figure.today)}</dd>
      {figure !== null && (
        <dd className={classes['change']}>
          <Direction {...figure} /> {changeText(figure)}
        </dd>
      )}
    </div>
  );
}

function Direction({ today, yesterday }: Comparison) {
  const Arrow = today === yesterday ? IconEqual : today > yesterday ? IconArrowUpRight : IconArrowDownRight;
  return <Arrow size={15} stroke={1.8} aria-hidden />;
}

/** The smallest share that the text mentions. */
const leastShare = 0.001;

/** How the figure of today differs from yesterday's, in words and percent: `20% more than yesterday (1,000)`. */
export function changeText({ today, yesterday }: Comparison): string {
  if (yesterday === 0) return today === 0 ? 'None yesterday either' : 'None yesterday';
  if (today === yesterday) return 'The same as yesterday';
  const share = Math.abs(today - yesterday) / yesterday;
  const amount = share < leastShare ? `Under ${percentText(leastShare)}` : percentText(share);
  return `${amount} ${today > yesterday ? 'more' : 'less'} than yesterday (${groupedNumber(yesterday)})`;
}
