import { cloneElement, createContext, useContext, type ReactElement } from 'react';

/** Why nothing can be changed; null where it can. */
const ReadOnly = createContext<string | null>(null);

/** Makes everything within read-only for a reason, also dialogs. */
export const ReadOnlyProvider = ReadOnly.Provider;

/** Why nothing can be changed here; null if it can. */
export function useReadOnly(): string | null {
  return useContext(ReadOnly);
}

/** A control that writes, or that opens what only writes. While everything is read-only it is disabled, and its tooltip says why. */
export function Writes({ children }: { children: ReactElement<{ disabled?: boolean; title?: string }> }) {
  const reason = useReadOnly();
  return reason === null ? children : cloneElement(children, { disabled: true, title: reason });
}
