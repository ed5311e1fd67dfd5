import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Page } from '../page/page.tsx';
import { ListContent, type ListContentProps } from './list-content.tsx';

type Props<Query, Item extends RowData> = ListContentProps<Query, Item> & {
  /** Buttons beside the page's heading. */
  actions?: ReactNode;
};

/** A page that is a list, under the page's heading. */
export function ListPage<Query, Item extends RowData>({ actions, ...content }: Props<Query, Item>) {
  return (
    <Page actions={actions}>
      <ListContent {...content} />
    </Page>
  );
}
