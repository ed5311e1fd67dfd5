import { Tooltip, useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import classes from './chart.module.css';
import { MarkLayer } from '../marks/chart-marks.tsx';
import { type MarkSubjects, useMarksShown } from '../marks/use-marks.ts';
import { SpanZoom } from './span-zoom.tsx';
import type { Span } from './use-span-choice.ts';
import { type Area, type ChartData, drawChart, type DrawnChart, type LabelAt, markLane } from './draw-chart.ts';

/** Pixels of a chart of lines, and of a bar or row with its share of the frame. */
const heights = { lines: 228, least: 96, bar: 22, frame: 72, row: 24, below: 36 } as const;

function heightOf({ kind, labels, series }: ChartData): number {
  if (kind === 'heat') return series.length * heights.row + heights.below;
  return kind === 'line' ? heights.lines : labels.length * heights.bar + heights.frame;
}

const shapes = { line: 'Line chart', bar: 'Bar chart', heat: 'Heat map' } as const;

type Props = {
  data: ChartData;
  /** Writes a value, in compact form for the axis. */
  format: (value: number, isCompact: boolean) => string;
  /** The apps and servers whose changes are marked in a chart of lines over time; undefined: none are. */
  markSubjects?: MarkSubjects | undefined;
  /** Shows a part of the time of a line chart: its first and last label. */
  onZoom?: ((span: Span) => void) | undefined;
  /** Takes all of the room there is, if that is more than it needs. */
  isFilling?: boolean;
  /** Where the values can be read as text. */
  children: ReactNode;
};

function layerStyle({ left, right, top, bottom }: Area): CSSProperties {
  return { left, width: right - left, top: top - markLane, height: bottom - top + markLane };
}

/** A drawn chart; the pointer shows the values of the label that it is at. */
export function Chart({ data, format, markSubjects, onZoom, isFilling = false, children }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<DrawnChart | null>(null);
  const [showsMarks] = useMarksShown();
  const { axis } = data;
  const hasLane = showsMarks && markSubjects !== undefined && axis !== undefined && data.kind === 'line';
  const height = heightOf(data) + (hasLane ? markLane : 0);
  const [marked, setMarked] = useState<ReturnType<LabelAt>>(null);
  // The colours are read from the page, so another theme redraws the chart.
  const theme = useComputedColorScheme('light');
  const draw = useEffectEvent((element: HTMLCanvasElement) => {
    setDrawn(drawChart(element, data, { format, hasLane }));
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    // It is called with the first size, too.
    const observer = new ResizeObserver(() => draw(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [data, theme, hasLane]);
  const shape = data.kind === 'line' && data.isStacked ? 'Area chart' : shapes[data.kind];
  const label = marked?.label ?? 0;
  const shownSeries = marked?.series === undefined ? data.series : data.series.slice(marked.series, marked.series + 1);
  const last = Math.max(1, data.labels.length - 1);
  const placeOf = useCallback((index: number) => index / last, [last]);
  const values = marked !== null && (
    <>
      <strong>{data.labels[label]}</strong>
      {shownSeries.map(({ name, texts, values: { [label]: value = null } }) => (
        <div key={name}>
          {name}: {value === null ? '–' : (texts?.[label] ?? format(value, false))}
        </div>
      ))}
    </>
  );
  return (
    <Tooltip.Floating label={values} disabled={marked === null} multiline>
      <figure
        className={classes['figure']}
        style={isFilling ? { flex: 1, minHeight: data.kind === 'line' ? heights.least : height } : { height }}
        aria-label={`${shape}: ${data.title}`}
        onPointerMove={({ currentTarget, clientX, clientY }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          setMarked(drawn?.labelAt(clientX - left, clientY - top) ?? null);
        }}
      >
        <canvas ref={canvas} className={classes['canvas']}>
          {children}
        </canvas>
        {onZoom !== undefined && data.kind === 'line' && data.labels.length > 2 && drawn !== null && (
          <SpanZoom labels={data.labels} area={drawn.area} onZoom={onZoom} />
        )}
        {hasLane && drawn !== null && <MarkLayer axis={axis} subjects={markSubjects} placeOf={placeOf} style={layerStyle(drawn.area)} />}
      </figure>
    </Tooltip.Floating>
  );
}
