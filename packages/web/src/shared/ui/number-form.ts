import { createContext, useContext } from 'react';

/** How a table writes its figures: in full, or, where it is short of room, in compact form. */
export const NumberForm = createContext<'full' | 'compact'>('full');

/** Whether figures are to be written in compact form (1.52M). */
export function useIsCompact(): boolean {
  return useContext(NumberForm) === 'compact';
}
