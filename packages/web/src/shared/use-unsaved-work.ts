import { useCallback, useEffect, useRef } from 'react';
import { unsavedWork } from './unsaved-work.ts';

/**
 * Says while `isUnsaved` that this form holds input that is not saved, so that leaving the page, closing it or loading
 * it anew asks first. Gives how to say at once that it no longer does, for a form that goes elsewhere after saving.
 */
export function useUnsavedWork(isUnsaved: boolean): () => void {
  const letGo = useRef<(() => void) | null>(null);
  const release = useCallback(() => {
    letGo.current?.();
    letGo.current = null;
  }, []);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    letGo.current = unsavedWork.hold();
    return release;
  }, [isUnsaved, release]);
  return release;
}
