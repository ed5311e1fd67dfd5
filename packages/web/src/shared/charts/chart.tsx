import { Portal, useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import classes from './chart.module.css';
import { usePrinting } from '../listing/use-printing.ts';
import { MarkLayer } from '../marks/chart-marks.tsx';
import { type MarkSubjects, useMarksShown } from '../marks/use-marks.ts';
import type { ChartData, Format } from './chart-data.ts';
import { seriesColour } from './chart-pen.ts';
import { valuesAt } from './chart-values.ts';
import { SpanSlider } from './span-slider.tsx';
import { usePatterns } from './use-patterns.ts';
import type { Span } from './use-span-choice.ts';
import { type Area, barsBeside, drawChart, type DrawnChart, leastBar, markLane } from './draw-chart.ts';

/** Pixels of a chart of lines, and of a bar or row with its share of the frame. */
const heights = { lines: 228, least: 140, bar: 22, gap: 6, frame: 72, row: 24, below: 36, legend: 22 } as const;

function heightOf(data: ChartData): number {
  const { kind, labels, series } = data;
  if (kind === 'heat') return series.length * heights.row + heights.below;
  if (kind === 'line') return heights.lines;
  const beside = barsBeside(data);
  return labels.length * Math.max(heights.bar, beside > 1 ? beside * leastBar + heights.gap : 0) + heights.frame;
}

const shapes = { line: 'Line chart', bar: 'Bar chart', heat: 'Heat map' } as const;

type Props = {
  data: ChartData;
  /** Writes a value, in compact form for the axis. */
  format: Format;
  /** The apps and servers whose changes are marked in a chart of lines over time; undefined: none are. */
  markSubjects?: MarkSubjects | undefined;
  /** Shows a part of the time of a line chart: its first and last label. */
  onZoom?: ((span: Span) => void) | undefined;
  /** Takes all of the room there is, if that is more than it needs. */
  isFilling?: boolean;
  /** Where the values can be read as text. */
  children: ReactNode;
};

/** What redraws a chart when it changes. */
type ChartLook = { data: ChartData; theme: string; hasLane: boolean; hasPatterns: boolean };

/** The label whose values are shown, and where the pointer stands. */
type Marked = { label: number; series?: number; x?: number; y?: number };

function layerStyle({ left, right, top, bottom }: Area): CSSProperties {
  return { left, width: right - left, top: top - markLane, height: bottom - top + markLane };
}

/** A drawn chart. The pointer or the keyboard shows the values of the label that it is at. */
export function Chart({ data, format, markSubjects, onZoom, isFilling = false, children }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<DrawnChart | null>(null);
  const [showsMarks] = useMarksShown();
  const { isShown: hasPatterns } = usePatterns();
  const { axis } = data;
  const hasLane = showsMarks && markSubjects !== undefined && axis !== undefined && data.kind === 'line';
  // A legend of several lines takes no room from the values.
  const extra = (hasLane ? markLane : 0) + Math.max(0, (drawn?.legend ?? 0) - heights.legend);
  const height = heightOf(data) + extra;
  const [pointed, setPointed] = useState<Marked | null>(null);
  const [focused, setFocused] = useState<Marked | null>(null);
  // The values would hide the time that is being chosen.
  const [isChoosing, setChoosing] = useState(false);
  // The colours are read from the page, so another theme redraws the chart, and so does print, which is always light.
  const theme = useComputedColorScheme('light');
  const isPrinting = usePrinting();
  const draw = useEffectEvent((element: HTMLCanvasElement, look: ChartLook) => {
    setDrawn(drawChart(element, look.data, { ...look, format }));
  });
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const redraw = (): void => draw(element, { data, theme, hasLane, hasPatterns });
    // No observer is called between this and the print.
    if (isPrinting) redraw();
    // It is called with the first size, too.
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [data, theme, hasLane, hasPatterns, isPrinting]);
  const shape = data.kind === 'line' && data.isStacked ? 'Area chart' : shapes[data.kind];
  const last = Math.max(1, data.labels.length - 1);
  const placeOf = useCallback((index: number) => index / last, [last]);
  // Data may have changed since.
  const marked = [pointed, focused].find((one) => one !== null && one.label < data.labels.length) ?? null;
  const canZoom = onZoom !== undefined && data.kind === 'line' && data.labels.length > 2;
  return (
    <figure
      className={classes['figure']}
      style={isFilling ? { flex: 1, minHeight: data.kind === 'line' ? heights.least + extra : height } : { height }}
      aria-label={`${shape}: ${data.title}`}
      onPointerMove={({ currentTarget, clientX, clientY }) => {
        const { left, top } = currentTarget.getBoundingClientRect();
        const [x, y] = [clientX - left, clientY - top];
        const place = drawn?.labelAt(x, y) ?? null;
        setPointed(place && { ...place, x, y });
      }}
      onPointerLeave={() => setPointed(null)}
    >
      <canvas ref={canvas} className={classes['canvas']}>
        {children}
      </canvas>
      {drawn !== null && data.labels.length > 0 && (
        <Cursor
          data={data}
          format={format}
          area={drawn.area}
          onZoom={canZoom ? onZoom : undefined}
          onCursor={setFocused}
          onChoosing={setChoosing}
        />
      )}
      {marked !== null && drawn !== null && !isChoosing && <Values data={data} format={format} drawn={drawn} marked={marked} />}
      {hasLane && drawn !== null && <MarkLayer axis={axis} subjects={markSubjects} placeOf={placeOf} style={layerStyle(drawn.area)} />}
    </figure>
  );
}

type CursorProps = Pick<Props, 'data' | 'format' | 'onZoom'> & {
  area: Area;
  onCursor: (marked: Marked | null) => void;
  /** Called with whether a part of the time is being chosen. */
  onChoosing: (isChoosing: boolean) => void;
};

/** Reads the values by keyboard, and where the chart can zoom, chooses a part of its time by a drag or the keyboard. A press alone chooses nothing. */
function Cursor({ data, format, area, onZoom, onCursor, onChoosing }: CursorProps) {
  const { kind, labels, series } = data;
  const isHeat = kind === 'heat';
  const width = area.right - area.left;
  // Each label of lines has a stretch around its point.
  const step = kind === 'line' ? width / Math.max(1, labels.length - 1) : 0;
  const markedOf = (index: number): Marked =>
    isHeat ? { label: index % labels.length, series: Math.floor(index / labels.length) } : { label: index };
  return (
    <SpanSlider
      count={labels.length * (isHeat ? series.length : 1)}
      grid={labels.join()}
      label={onZoom === undefined ? 'Values of the chart' : 'Time to zoom to'}
      hint={
        onZoom === undefined ? 'Arrow keys move from value to value.' : 'Arrow keys choose a time, with Shift several; Enter zooms to them.'
      }
      valueText={({ first, last }) => {
        if (first !== last) return `${labels[first] ?? ''} to ${labels[last] ?? ''}`;
        const marked = markedOf(first);
        const { rows, total } = valuesAt(data, marked, format);
        const texts = [...rows.map(({ name, text }) => `${name} ${text}`), ...(total === null ? [] : [`total ${total}`])];
        return `${labels[marked.label] ?? ''}: ${texts.join(', ')}`;
      }}
      onChoose={onZoom && ((span) => span.first !== span.last && onZoom(span))}
      onMark={(span) => onChoosing(span !== null && span.first !== span.last)}
      onCursor={(index) => onCursor(index === null ? null : markedOf(index))}
      rowLength={isHeat ? labels.length : kind === 'bar' ? 1 : undefined}
      className={classes['values']}
      style={{ left: area.left - step / 2, width: width + step, top: area.top, height: area.bottom - area.top }}
    >
      {(marked) =>
        marked !== null &&
        marked.first !== marked.last && (
          <span
            className={classes['chosen']}
            style={{ left: marked.first * step, width: (marked.last - marked.first + 1) * step }}
            aria-hidden
          />
        )
      }
    </SpanSlider>
  );
}

type ValuesProps = Pick<Props, 'data' | 'format'> & { drawn: DrawnChart; marked: Marked };

/** Pixels between the place of a label and its values, and between these and the edge of the window. */
const gaps = { place: 14, edge: 8 } as const;

/** The values of a label beside it, the largest first. */
function Values({ data, format, drawn, marked }: ValuesProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { rows, total } = valuesAt(data, marked, format);
  const isLine = data.kind === 'line';
  const place = drawn.placeOf(marked.label, marked.series);
  const x = data.kind === 'bar' ? (marked.x ?? place.x) : place.x;
  const y = isLine ? (marked.y ?? place.y) : place.y;
  const { top, bottom } = drawn.area;
  // Its size depends on the values, so it is placed once it has them.
  useLayoutEffect(() => {
    const [from, element] = [anchor.current?.getBoundingClientRect(), box.current];
    if (from === undefined || element === null) return;
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const { offsetWidth: boxWidth, offsetHeight: boxHeight } = element;
    const fitsAfter = from.left + gaps.place + boxWidth + gaps.edge <= width;
    const left = fitsAfter ? from.left + gaps.place : Math.max(gaps.edge, from.left - gaps.place - boxWidth);
    const above = Math.max(gaps.edge, Math.min(from.top - boxHeight / 2, height - boxHeight - gaps.edge));
    element.style.transform = `translate(${left + window.scrollX}px, ${above + window.scrollY}px)`;
  });
  return (
    <>
      {isLine && <span className={classes['crosshair']} style={{ left: x, top, height: bottom - top }} aria-hidden />}
      <span ref={anchor} className={classes['anchor']} style={{ left: x, top: y }} aria-hidden />
      <Portal>
        {/* The control of the chart speaks the same. */}
        <div ref={box} className={classes['tooltip']} role="tooltip" aria-hidden>
          <strong>{data.labels[marked.label]}</strong>
          {rows.map(({ at, name, text }) => (
            <div key={at}>
              {data.kind !== 'heat' && data.series.length > 1 && (
                <span className={classes['swatch']} style={{ background: seriesColour(data.series[at], at) }} />
              )}
              {name}: {text}
            </div>
          ))}
          {total !== null && <b>Total: {total}</b>}
        </div>
      </Portal>
    </>
  );
}
