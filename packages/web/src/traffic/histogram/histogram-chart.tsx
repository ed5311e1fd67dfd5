import { type RequestHistogram, requestTypes } from '@switchyard/contract/requests';
import { memo, useCallback } from 'react';
import { SpanSlider } from '../../shared/charts/span-slider.tsx';
import type { Span } from '../../shared/charts/use-span-choice.ts';
import { MarkLayer } from '../../shared/marks/chart-marks.tsx';
import type { TimeAxis } from '../../shared/marks/place-marks.ts';
import { type MarkSubjects, useMarksShown } from '../../shared/marks/use-marks.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { typeColour } from '../request-type-label.tsx';
import { barSegments, chartTop, countsOf, countsText, justAfter, spanText, tickText } from './histogram-view.ts';
import classes from './histogram.module.css';

/** Part of a bucket's width that stays free between two bars. */
const gap = 0.16;

type Props = {
  histogram: RequestHistogram;
  offset: string;
  /** The times of the buckets, and the apps whose changes are marked in them. */
  axis: TimeAxis;
  markSubjects: MarkSubjects;
  onChoose: (span: Span) => void;
  /** Called with the buckets that the pointer or the keyboard marks. */
  onMark: (span: Span | null) => void;
};

/** Bars of requests by type over time; buckets are chosen by a press, a drag or the keyboard. */
export function HistogramChart({ histogram, offset, axis, markSubjects, onChoose, onMark }: Props) {
  const { buckets, bucketSeconds } = histogram;
  const grid = `${buckets[0]?.at ?? ''} ${bucketSeconds}`;
  const [hasLane] = useMarksShown();
  const count = buckets.length;
  const placeOf = useCallback((index: number) => (index + 0.5) / count, [count]);
  const top = chartTop(histogram);
  return (
    <div className={classes['chart']} data-lane={hasLane || undefined}>
      {hasLane && <MarkLayer axis={axis} subjects={markSubjects} placeOf={placeOf} className={classes['markLayer']} />}
      <div className={classes['scale']} aria-hidden>
        <span>{groupedNumber(top)}</span>
        <span>0</span>
      </div>
      <SpanSlider
        count={count}
        grid={grid}
        label="Time to narrow the list to"
        hint="Arrow keys choose a time, with Shift several; Enter narrows the list to it."
        valueText={(span) => `${spanText(histogram, span, offset)}, ${countsText(countsOf(histogram, span))}`}
        onChoose={onChoose}
        onMark={onMark}
        className={classes['plot']}
      >
        {(marked) => (
          <svg className={classes['bars']} viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden>
            {marked !== null && (
              <rect className={classes['mark']} x={marked.first} width={marked.last - marked.first + 1} y={0} height={1} />
            )}
            <Bars buckets={buckets} top={top} />
          </svg>
        )}
      </SpanSlider>
      <Ticks histogram={histogram} offset={offset} />
    </div>
  );
}

/**
 * Up to 120 bars of up to seven parts, one path for each type: an element for each part would be a fifth of the page. Memoised,
 * so that moving the pointer does not draw them again.
 */
const Bars = memo(function Bars({ buckets, top }: { buckets: RequestHistogram['buckets']; top: number }) {
  const segments = buckets.flatMap(({ counts }, index) => barSegments(counts, top).map((segment) => ({ ...segment, index })));
  return requestTypes.map((type) => {
    const own = segments.filter((segment) => segment.type === type);
    if (own.length === 0) return null;
    const outline = own.map(({ index, below, share }) => `M${index + gap / 2} ${1 - below}h${1 - gap}v${-share}h${gap - 1}z`).join('');
    return <path key={type} data-type={type} d={outline} style={{ fill: typeColour(type) }} />;
  });
});

/** Times at both ends and between them; phones show the ends and the middle only. */
function Ticks({ histogram, offset }: Pick<Props, 'histogram' | 'offset'>) {
  const { buckets } = histogram;
  const quarters = [0, 1, 2, 3].map((quarter) => ({ quarter, at: Math.floor((buckets.length * quarter) / 4) }));
  const ticks = quarters.filter(({ at }, index) => quarters.findIndex((other) => other.at === at) === index);
  return (
    <div className={classes['ticks']} aria-hidden>
      {ticks.map(({ quarter, at }) => (
        <span key={at} className={classes['tick']} data-quarter={quarter} style={{ insetInlineStart: `${(at / buckets.length) * 100}%` }}>
          {tickText(buckets[at]?.at ?? '', histogram, offset)}
        </span>
      ))}
      <span className={classes['lastTick']}>{tickText(justAfter(histogram.to), histogram, offset)}</span>
    </div>
  );
}
