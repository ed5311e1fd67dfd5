import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useId, type CSSProperties, type ReactNode } from 'react';
import classes from './chart.module.css';
import { type Span, useSpanChoice } from './use-span-choice.ts';

type Props = {
  count: number;
  /** Changes when the buckets are of other times. */
  grid: string;
  label: string;
  /** How the keyboard chooses; hidden, and read with the control. */
  hint: string;
  /** Names what the keyboard or the pointer marks. */
  valueText: (span: Span) => string;
  /** Absent: buckets are read one by one, and none is chosen. */
  onChoose?: ((span: Span) => void) | undefined;
  /** Called with the buckets that the pointer or the keyboard marks. */
  onMark?: (span: Span | null) => void;
  /** Called with the bucket at which the keyboard stands; null while the control has no focus. */
  onCursor?: (index: number | null) => void;
  /** Buckets of a row, by which Arrow up and down move where the buckets are rows. */
  rowLength?: number | undefined;
  className?: string | undefined;
  style?: CSSProperties;
  /** What is drawn over the buckets. */
  children?: (marked: Span | null) => ReactNode;
};

/** A control over the buckets of a chart: pointer and keyboard mark and choose them, assistive technology reads them. */
export function SpanSlider(props: Props) {
  const { count, grid, label, hint, valueText, onChoose, onMark, onCursor, rowLength, className = '', style, children } = props;
  const hintId = useId();
  const { cursor, hasFocus, marked, pointing, keys } = useSpanChoice({ count, grid, onChoose, rowLength });
  const [first, last] = [marked?.first ?? null, marked?.last ?? null];
  const announceMark = useEffectEvent((span: Span | null) => onMark?.(span));
  useEffect(() => announceMark(first === null || last === null ? null : { first, last }), [first, last]);
  const announceCursor = useEffectEvent((index: number | null) => onCursor?.(index));
  useEffect(() => announceCursor(hasFocus ? cursor : null), [hasFocus, cursor]);
  return (
    <div
      className={`${classes['slider'] ?? ''} ${className}`}
      style={style}
      data-chooses={onChoose !== undefined || undefined}
      {...(onChoose !== undefined && pointing)}
    >
      <input
        {...keys}
        type="range"
        className={classes['cursor']}
        aria-label={label}
        aria-describedby={hintId}
        min={1}
        max={count}
        value={cursor + 1}
        aria-valuetext={valueText(marked ?? { first: cursor, last: cursor })}
      />
      {children?.(marked)}
      <VisuallyHidden id={hintId}>{hint}</VisuallyHidden>
    </div>
  );
}
