import type { ReactNode } from 'react';
import { Page } from '../../shared/page/page.tsx';
import type { LogSource } from './log-source.ts';

type Props = { source: LogSource; date: string; actions: ReactNode; children: ReactNode };

/** The frame of a day's page: the way back to the days, and the day as its heading. */
export function LogFrame({ source: { title, dayTitle, listPath }, date, actions, children }: Props) {
  return (
    <Page title={title} titleHref={listPath()} documentTitle={`${dayTitle} ${date}`} crumbs={[{ label: date }]} actions={actions}>
      {children}
    </Page>
  );
}
