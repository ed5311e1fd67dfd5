import { AccessMark } from '../accounts/access-mark.tsx';
import { AppLink } from '../navigation.tsx';
import { withMarks } from '../ui/hidden-characters.ts';
import { TitledText } from '../ui/text-cell.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import type { ListColumn } from './list-column.ts';

/** Whether an entity is switched on. */
export function onColumn<Row extends { is_on: boolean }>(): ListColumn<Row> {
  return {
    id: 'on',
    cellName: 'On',
    title: 'Switched on',
    width: 56,
    cell: ({ is_on: isOn }) => <AccessMark hasAccess={isOn} text={isOn ? 'On' : 'Off'} />,
  };
}

/** The name of an entity, which leads to its page. */
export function nameColumn<Row extends { id: number; name: string }>(pathOf: (id: number) => string): ListColumn<Row> {
  return {
    id: 'name',
    cellName: 'Name',
    width: 180,
    minWidth: 120,
    grows: true,
    isMain: true,
    isFixed: true,
    cell: ({ id, name }) => (
      <AppLink href={pathOf(id)} className="name-link" title={withMarks(name)}>
        <VisibleText text={name} />
      </AppLink>
    ),
  };
}

/** A text, which is cut when the table is short of room. */
export function textColumn<Row>(id: string, cellName: string, width: number, textOf: (row: Row) => string): ListColumn<Row> {
  return { id, cellName, width, minWidth: 120, grows: true, cell: (row) => <TitledText text={textOf(row)} /> };
}
