import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { listKey } from '../listing/list-key.ts';
import { actionColumn, type ListColumn } from '../listing/list-column.ts';
import { List } from '../listing/list.tsx';
import { RowAction } from '../listing/row-action.tsx';
import { useWholeList } from '../listing/use-whole-list.ts';
import { AppLink, useOpenPath } from '../navigation.tsx';
import { Page } from '../page/page.tsx';
import { useDisplayDate } from '../time/server-time.ts';
import { askToChange } from '../ui/confirm.tsx';
import { withMarks } from '../ui/hidden-characters.ts';
import classes from './entity-list.module.css';
import { capitalised } from '@switchyard/contract/text-fields';

/*
 * The page that lists an entity whose rows arrive as a whole: a sentence, a button that creates one, and the rows. Columns are those of
 * `shared/listing`, which say how a row looks; `onColumn` and `nameColumn` of `entity-columns.tsx` and `buttonColumn` here are those that
 * every entity has. `columns` must keep its identity, because the table is measured again when it changes.
 *
 *     <EntityListPage name="schedules" noun="schedules" load={…} columns={scheduleColumns} create={…} … />
 *
 * A list with pages, filters and saved views is no list of this kind; it uses `ListPage` of `shared/listing/list.tsx`.
 *
 * `confirmDeletion` asks before an entity is deleted. What goes with it is said by `lines`, and what else has to be chosen by `details`.
 */

/** Context of columns beside their row. `rows`: all of them. */
export type ColumnInput<Row> = { readonly displayDate: (text: string) => string; readonly rows: readonly Row[] };

const noRows: readonly never[] = [];

type ListProps<Row> = {
  /** Name of the list in the cache, and of the settings of its columns on the device. */
  name: string;
  /** In texts, e.g. `schedules`. */
  noun: string;
  load: (input: { signal: AbortSignal }) => Promise<{ data: Row[] }>;
  /** The sentence above the list. */
  note: string;
  columns: (input: ColumnInput<Row>) => ListColumn<Row>[];
  /** The button that creates one; null for an account that may not. */
  create: { label: string; href: string } | null;
  /** The page of a row. */
  pathOf?: (id: number) => string;
  empty: { title: string; text: string };
};

/** The page that lists an entity. */
export function EntityListPage<Row extends { id: number }>({ name, noun, load, note, columns, create, pathOf, empty }: ListProps<Row>) {
  const result = useQuery({ queryKey: listKey(name), queryFn: load });
  const rows = result.data?.data;
  const list = useWholeList({ name, result, rows, rowId });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const shownColumns = useMemo(() => columns({ displayDate, rows: rows ?? noRows }), [columns, displayDate, rows]);
  const button = create && (
    <Button component={AppLink} href={create.href} leftSection={<IconPlus size={16} aria-hidden />}>
      {create.label}
    </Button>
  );
  return (
    <Page>
      <div className={classes['head']}>
        <p className="note">{note}</p>
        {button}
      </div>
      <List
        list={list}
        noun={noun}
        columns={shownColumns}
        filters={{}}
        pages="none"
        onOpen={pathOf && (({ id }: Row) => openPath(pathOf(id)))}
        empty={{ ...empty, ...(button !== null && { action: button }) }}
      />
    </Page>
  );
}

function rowId({ id }: { id: number }): number {
  return id;
}

type ButtonProps<Row> = {
  pathOf: (id: number) => string;
  /** False for an account that may only look. */
  mayChange?: boolean;
  onDelete: (row: Row) => void;
};

/** The column of buttons that edit and delete. */
export function buttonColumn<Row extends { id: number; name: string }>({
  pathOf,
  mayChange = true,
  onDelete,
}: ButtonProps<Row>): ListColumn<Row> {
  return {
    id: 'actions',
    cellName: 'Actions',
    width: 84,
    ...actionColumn,
    cell: (row) => (
      <>
        <RowAction icon={IconPencil} label={`${mayChange ? 'Edit' : 'Show'} ${withMarks(row.name)}`} href={pathOf(row.id)} />
        {mayChange && <DeleteButton row={row} onDelete={onDelete} />}
      </>
    ),
  };
}

/** The button of a row that deletes it. */
export function DeleteButton<Row extends { name: string }>({ row, onDelete }: { row: Row; onDelete: (row: Row) => void }) {
  return <RowAction icon={IconTrash} label={`Delete ${withMarks(row.name)}`} color="danger" onClick={() => onDelete(row)} />;
}

type Deletion = {
  noun: string;
  name: string;
  /** After the name, e.g. whose it is. */
  suffix?: string;
  /** Text about the things that go with it, or stay. */
  lines: readonly string[];
  details?: ReactNode;
  change: () => Promise<unknown>;
  reload: () => Promise<unknown>;
};

/** Asks before an entity is deleted. */
export function confirmDeletion({ noun, name, suffix = '', lines, ...deletion }: Deletion): void {
  askToChange({
    ...deletion,
    title: `Delete the ${noun}?`,
    lines: [`${capitalised(noun)} "${name}"${suffix}`, ...lines],
    doneMessage: `${capitalised(noun)} "${withMarks(name)}" deleted`,
  });
}
