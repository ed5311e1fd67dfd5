import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import classes from './chart.module.css';
import type { Area } from './draw-chart.ts';
import { type Span, useSpanChoice } from './use-span-choice.ts';

type Props = {
  labels: readonly string[];
  /** Where the values are drawn: the first label at its left end, the last one at its right. */
  area: Area;
  onZoom: (span: Span) => void;
};

/** Chooses a part of the time of a line chart by a drag or the keyboard, as the histogram of requests does. A press alone chooses nothing. */
export function SpanZoom({ labels, area, onZoom }: Props) {
  const hint = useId();
  const { cursor, marked, pointing, keys } = useSpanChoice({
    count: labels.length,
    grid: labels.join(),
    onChoose: (span) => span.first !== span.last && onZoom(span),
  });
  const step = (area.right - area.left) / (labels.length - 1);
  const isSpan = marked !== null && marked.first !== marked.last;
  const spoken = marked ?? { first: cursor, last: cursor };
  return (
    <div
      className={classes['zoom']}
      // Each label has a stretch around its point.
      style={{ left: area.left - step / 2, width: step * labels.length, top: area.top, height: area.bottom - area.top }}
      {...pointing}
    >
      <input
        {...keys}
        type="range"
        className={classes['cursor']}
        aria-label="Time to zoom to"
        aria-describedby={hint}
        min={1}
        max={labels.length}
        value={cursor + 1}
        aria-valuetext={
          spoken.first === spoken.last ? labels[spoken.first] : `${labels[spoken.first] ?? ''} to ${labels[spoken.last] ?? ''}`
        }
      />
      {marked !== null && isSpan && (
        <span
          className={classes['chosen']}
          style={{ left: marked.first * step, width: (marked.last - marked.first + 1) * step }}
          aria-hidden
        />
      )}
      <VisuallyHidden id={hint}>Arrow keys choose a time, with Shift several; Enter zooms to them.</VisuallyHidden>
    </div>
  );
}
