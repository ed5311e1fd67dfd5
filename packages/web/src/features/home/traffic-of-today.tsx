import { Title } from '@mantine/core';
import type { Comparison, Home } from '@switchyard/contract/home';
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from '@tabler/icons-react';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';
import classes from './attention.module.css';
import { changeText } from './change-text.ts';

const figures = [
  ['create', 'Create'],
  ['receive', 'Receive'],
  ['push', 'Push'],
  ['conversion', 'Conversion'],
] as const;

/** The traffic of today beside that of yesterday, both up to the start of this hour (HOME-005). */
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
      {figure === null ? (
        <dd className={classes['change']}>Too many to compare by the hour</dd>
      ) : (
        <>
          <dd className={classes['number']}>{groupedNumber(figure.today)}</dd>
          <dd className={classes['change']}>
            <Direction {...figure} /> {changeText(figure)}
          </dd>
        </>
      )}
    </div>
  );
}

function Direction({ today, yesterday }: Comparison) {
  const Arrow = today === yesterday ? IconEqual : today > yesterday ? IconArrowUpRight : IconArrowDownRight;
  return <Arrow size={15} stroke={1.8} aria-hidden />;
}
