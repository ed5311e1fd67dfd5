import { Button } from '@mantine/core';
import type { AuditRow } from '@switchyard/contract/audit';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { ActionLabel } from './action-label.tsx';
import classes from './activity.module.css';
import { actorName, entityName } from './audit-words.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { fieldLabel } from '@switchyard/contract/audit-fields';

type Input = { displayDate: (text: string) => string; onShow: (row: AuditRow) => void };

/** Columns of a change; together they fit the table of a 1024 px window. */
export function activityColumns({ displayDate, onShow }: Input): ListColumn<AuditRow>[] {
  return [
    { id: 'number', cellName: 'No.', width: 64, cell: ({ id }) => <span className="tabular">{id}</span> },
    { id: 'when', cellName: 'When', width: 172, isMain: true, cell: (row) => <span className="tabular">{displayDate(row.at)}</span> },
    {
      id: 'who',
      cellName: 'Who',
      width: 132,
      minWidth: 100,
      isMain: true,
      cell: (row) => (
        <span
          title={row.actor?.email ?? withMarks(actorName(row))}
          data-nobody={row.actor === null || undefined}
          className={classes['who']}
        >
          <VisibleText text={actorName(row)} />
        </span>
      ),
    },
    {
      id: 'what',
      cellName: 'What',
      width: 300,
      minWidth: 220,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (row) => (
        <span className={classes['what']}>
          <ActionLabel action={row.action} />
          <span className={classes['entity']} title={row.entity_label === null ? undefined : withMarks(row.entity_label)}>
            {entityName(row.entity)}{' '}
            {row.entity_label !== null && (
              <strong>
                <VisibleText text={row.entity_label} />
              </strong>
            )}
          </span>
        </span>
      ),
    },
    {
      id: 'changes',
      cellName: 'Fields',
      tooltip: 'The fields that changed',
      width: 150,
      minWidth: 110,
      cell: (row) => <FieldNames names={row.changes.map(({ field }) => fieldLabel(field))} />,
    },
    { id: 'ip', cellName: 'IP', width: 124, cell: ({ ip }) => <span className={classes['code']}>{ip ?? '-'}</span> },
    {
      id: 'show',
      cellName: '',
      title: 'Differences',
      width: 76,
      ...actionColumn,
      cell: (row) => <ShowButton row={row} onShow={onShow} />,
    },
  ];
}

function FieldNames({ names }: { names: readonly string[] }) {
  if (names.length === 0) return '-';
  return <span title={names.join('\n')}>{names.join(', ')}</span>;
}

function ShowButton({ row, onShow }: { row: AuditRow; onShow: Input['onShow'] }) {
  const tabIndex = useGridTabIndex();
  return (
    <Button
      size="compact-xs"
      variant="light"
      color="neutral"
      aria-label={`Show activity ${row.id}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={() => onShow(row)}
    >
      Show
    </Button>
  );
}
