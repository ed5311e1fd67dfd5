import { Tooltip, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import classes from './chart.module.css';
import { drawChart, type ChartData, type LabelAt } from './draw-chart.ts';

/** Pixels of a chart of lines, and of a bar or row with its share of the frame. */
const heights = { lines: 228, bar: 22, frame: 72, row: 24, below: 36 } as const;

function heightOf({ kind, labels, series }: ChartData): number {
  if (kind === 'heat') return series.length * heights.row + heights.below;
  return kind === 'line' ? heights.lines : labels.length * heights.bar + heights.frame;
}

const shapes = { line: 'Line chart', bar: 'Bar chart', heat: 'Heat map' } as const;

type Props = {
  data: ChartData;
  /** Writes a value, in compact form for the axis. */
  format: (value: number, isCompact: boolean) => string;
  /** Where the values can be read as text. */
  children: ReactNode;
};

/** A drawn chart; the pointer shows the values of the label that it is at. */
export function Chart({ data, format, children }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const labelAt = useRef<LabelAt>(() => null);
  const [marked, setMarked] = useState<ReturnType<LabelAt>>(null);
  // The colours are read from the page, so another theme redraws the chart.
  const theme = useComputedColorScheme('light');
  const draw = useEffectEvent((element: HTMLCanvasElement) => {
    labelAt.current = drawChart(element, data, format);
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    // It is called with the first size, too.
    const observer = new ResizeObserver(() => draw(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [data, theme]);
  const shape = data.kind === 'line' && data.isStacked ? 'Area chart' : shapes[data.kind];
  const label = marked?.label ?? 0;
  const shownSeries = marked?.series === undefined ? data.series : data.series.slice(marked.series, marked.series + 1);
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
      <figure style={{ height: heightOf(data) }} aria-label={`${shape}: ${data.title}`}>
        <canvas
          ref={canvas}
          className={classes['canvas']}
          onPointerMove={({ nativeEvent: { offsetX, offsetY } }) => setMarked(labelAt.current(offsetX, offsetY))}
        >
          {children}
        </canvas>
      </figure>
    </Tooltip.Floating>
  );
}
