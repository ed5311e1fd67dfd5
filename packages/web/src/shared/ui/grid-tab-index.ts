import { createContext, useContext } from 'react';

/**
 * What the controls of a table's row use as tab index: only those of the row that has the focus can be tabbed to, so
 * that a long table is not a hundred tab stops. Outside tables undefined: the element's own.
 */
export const GridTabIndex = createContext<0 | -1 | undefined>(undefined);

/** Tab index for a control that may stand in a table's row. */
export function useGridTabIndex(): 0 | -1 | undefined {
  return useContext(GridTabIndex);
}
