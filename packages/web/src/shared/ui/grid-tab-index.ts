import { createContext, useContext } from 'react';

/**
 * Tab index of the controls in a table row. Only the controls of the focused row can be reached with Tab, so a long
 * table is one tab stop. Undefined outside tables: the default of the element applies.
 */
export const GridTabIndex = createContext<0 | -1 | undefined>(undefined);

/** Tab index for a control that may be inside a table row. */
export function useGridTabIndex(): 0 | -1 | undefined {
  return useContext(GridTabIndex);
}
