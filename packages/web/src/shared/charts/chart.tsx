import { Tooltip, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import classes from './chart.module.css';
import { drawChart, type ChartData, type LabelAt } from './draw-chart.ts';

/** Pixels of a chart of lines, and of a bar with its share of the frame. */
const heights = { lines: 228, bar: 22, frame: 72 } as const;

function heightOf({ kind, labels }: ChartData): number {
  return kind === 'line' ? heights.lines : labels.length * heights.bar + heights.frame;
}

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
  const [marked, setMarked] = useState<number | null>(null);
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
  const shape = data.kind === 'line' ? 'Line chart' : 'Bar chart';
  const values = marked !== null && (
    <>
      <strong>{data.labels[marked]}</strong>
      {data.series.map(({ name, values: { [marked]: value = null } }) => (
        <div key={name}>
          {name}: {value === null ? '–' : format(value, false)}
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
