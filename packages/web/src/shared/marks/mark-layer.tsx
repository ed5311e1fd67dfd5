import { Popover } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { MarkEntry } from '@switchyard/contract/marks';
import { useMemo, useState, type CSSProperties } from 'react';
import { useDisplayDate } from '../time/server-time.ts';
import { groupedNumber } from '../ui/text-format.ts';
import { MarkList } from './mark-list.tsx';
import { entryText, markCount } from './mark-words.ts';
import classes from './marks.module.css';
import { placeMarks, type PlacedMark, type TimeAxis } from './place-marks.ts';
import { useChartMarks, type MarkSubjects } from './use-marks.ts';

/** Least pixels between two dots. */
const dotGap = 20;
const mostShown = 99;
const cutCount = `${mostShown}+`;

type Props = {
  axis: TimeAxis;
  subjects: MarkSubjects;
  /** The share of the axis at which a value is drawn. */
  placeOf: (index: number) => number;
  /** Where the layer lies over the lane of the dots and the values below it. */
  className?: string | undefined;
  style?: CSSProperties;
};

/**
 * Marks over the time of a chart: a dashed line under its values for each, and a dot in the lane above them, whose press lists what it marks.
 * The keyboard reaches them by the menu of marks.
 */
export function MarkLayer({ axis, subjects, placeOf, className = '', style }: Props) {
  const { marks } = useChartMarks(axis, subjects);
  const { ref, width } = useElementSize();
  // The chart renders with each move of the pointer, its marks with none.
  const dots = useMemo(
    () =>
      (width === 0 ? [] : placeMarks(marks, axis, { placeOf, gap: dotGap / width })).map((mark) => (
        <PlacedDot key={mark.share} mark={mark} />
      )),
    [marks, axis, placeOf, width],
  );
  return (
    <div ref={ref} className={`${classes['layer'] ?? ''} ${className}`} style={style}>
      {dots}
    </div>
  );
}

function PlacedDot({ mark }: { mark: PlacedMark }) {
  const displayDate = useDisplayDate();
  const [isOpen, setOpen] = useState(false);
  const { entries, count, share } = mark;
  const [first] = entries;
  const place = { insetInlineStart: `${share * 100}%` };
  return (
    <>
      <span className={classes['line']} style={place} aria-hidden />
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom"
        shadow="md"
        width={340}
        trapFocus
        returnFocus
        transitionProps={{ duration: 100 }}
      >
        <Popover.Target>
          <button
            type="button"
            tabIndex={-1}
            className={classes['dot']}
            style={place}
            data-tone={toneOf(entries)}
            data-many={count > 1 || undefined}
            aria-label={`${dotCount(count)}, ${displayDate(first?.at).slice(0, 16)}`}
            title={first && (count === 1 ? entryText(first) : `${entryText(first)} and ${groupedNumber(count - 1)} more`)}
            onClick={() => setOpen(!isOpen)}
          >
            {count > 1 && <span aria-hidden>{count > mostShown ? cutCount : count}</span>}
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes['dropdown'] ?? ''}>
          <MarkList entries={entries} count={count} />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

/** The number in words, with what the dot shows of it, by which speech input finds it. */
function dotCount(count: number): string {
  return count > mostShown ? `${cutCount} marks (${groupedNumber(count)})` : markCount(count);
}

function toneOf(entries: readonly MarkEntry[]): 'incident' | 'note' | 'change' {
  if (entries.some(({ kind }) => kind === 'incident')) return 'incident';
  return entries.every(({ kind }) => kind === 'note') ? 'note' : 'change';
}
