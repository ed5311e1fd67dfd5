import { useEffect } from 'react';
import { useSettings } from '../settings.ts';

/** Sets the document title to '<page title> | <app title>'. */
export function useDocumentTitle(pageTitle: string): void {
  const { appTitle } = useSettings();
  useEffect(() => {
    document.title = `${pageTitle} | ${appTitle}`;
  }, [pageTitle, appTitle]);
}
