import { VisuallyHidden } from '@mantine/core';
import { createContext, useContext } from 'react';
import { HoverTooltip } from './hover-tooltip.tsx';
import { compactNumber, groupedNumber } from './text-format.ts';

/** How a table writes its figures: in full, or in compact form where it is short of room. */
export const NumberForm = createContext<'full' | 'compact'>('full');

/** Whether figures are to be written in compact form (1.52M). */
export function useIsCompact(): boolean {
  return useContext(NumberForm) === 'compact';
}

/** One figure of a table; in compact form its tooltip has the exact number. */
export function Figure({ value }: { value: number }) {
  const exact = groupedNumber(value);
  const text = useIsCompact() ? compactNumber(value) : exact;
  return text === exact ? exact : <HoverTooltip label={exact}>{text}</HoverTooltip>;
}

/** In place of a figure that could not be read. */
export function MissingFigure() {
  return (
    <>
      <span aria-hidden>–</span>
      <VisuallyHidden>Missing</VisuallyHidden>
    </>
  );
}
