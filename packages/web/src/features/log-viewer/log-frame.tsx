import { Button } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import type { LogSource } from './log-source.ts';

type Props = { source: LogSource; date: string | null; actions?: ReactNode; children: ReactNode };

/** The frame of a day's page: the way back to the days, and the day as its heading. */
export function LogFrame({ source, date, actions, children }: Props) {
  return (
    <Page
      title={source.title}
      titleHref={source.listPath()}
      documentTitle={date === null ? source.title : `${source.title} ${date}`}
      crumbs={[{ label: date ?? 'No day' }]}
      actions={actions}
    >
      {children}
    </Page>
  );
}

/** There is no such day, or no longer. */
export function MissingDay({ source, date }: Pick<Props, 'source' | 'date'>) {
  return (
    <LogFrame source={source} date={date}>
      <StatePanel
        icon={IconFileOff}
        tone="warning"
        title="There is no log of this day"
        action={
          <Button component={AppLink} href={source.listPath()}>
            Back to the days
          </Button>
        }
      >
        No file was written on it, or the file has been deleted or moved away since.
      </StatePanel>
    </LogFrame>
  );
}
