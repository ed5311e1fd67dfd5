import { Button } from '@mantine/core';
import { deleteSchedule, listSchedules, type Schedule } from '@switchyard/contract/schedules';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { nameColumn, onColumn } from '../../shared/listing/entity-columns.tsx';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { useWholeList } from '../../shared/listing/use-whole-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askToChange } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { refreshSchedules, timeText } from './schedule-model.ts';
import classes from './schedules.module.css';

const rowId = ({ id }: Schedule): number => id;

/** The reader's scheduled reports. */
export function SchedulesPage() {
  const result = useQuery({ queryKey: listKey('schedules'), queryFn: ({ signal }) => call(listSchedules, { signal }) });
  const list = useWholeList({ name: 'schedules', result, rows: result.data?.data, rowId });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const columns = useMemo(() => scheduleColumns(displayDate), [displayDate]);
  const create = (
    <Button component={AppLink} href={paths.scheduleCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create schedule
    </Button>
  );
  return (
    <Page>
      <div className={classes['head']}>
        <p className="note">Your saved views of Reports and Apps, mailed as files. Recipients get what they may see themselves.</p>
        {create}
      </div>
      <List
        list={list}
        noun="schedules"
        columns={columns}
        filters={{}}
        pages="none"
        onOpen={({ id }) => openPath(paths.scheduleEdit(id))}
        empty={{ title: 'No schedules yet', text: 'Save a view of a report or of apps, then schedule it here.', action: create }}
      />
    </Page>
  );
}

function scheduleColumns(displayDate: (text: string) => string): ListColumn<Schedule>[] {
  return [
    onColumn(),
    nameColumn(paths.scheduleEdit),
    {
      id: 'view',
      cellName: 'View',
      width: 180,
      minWidth: 120,
      grows: true,
      cell: ({ view: { name, unknown_parameters: unknown } }) => (
        <>
          <TitledText text={name} />
          {unknown.length > 0 && <span className="note">Ignores {unknown.join(', ')}</span>}
        </>
      ),
    },
    { id: 'time', cellName: 'Time', width: 200, isMain: true, cell: (schedule) => timeText(schedule) },
    {
      id: 'recipients',
      cellName: 'Recipients',
      width: 200,
      minWidth: 120,
      grows: true,
      cell: ({ recipients }) => <TitledText text={recipients.map(({ name }) => name).join(', ')} />,
    },
    {
      id: 'next',
      cellName: 'Next mail',
      width: 150,
      cell: ({ is_on: isOn, next_run_at: at }) => <span className="tabular">{isOn ? displayDate(at) : '-'}</span>,
    },
    { id: 'last', cellName: 'Last mails', width: 150, isMain: true, cell: (schedule) => <LastMails schedule={schedule} /> },
    { id: 'actions', cellName: 'Actions', width: 84, ...actionColumn, cell: (schedule) => <Actions schedule={schedule} /> },
  ];
}

/** Outcomes of the newest mails, the worst first. */
function LastMails({ schedule: { recipients } }: { schedule: Schedule }) {
  const count = (state: Schedule['recipients'][number]['state']): number => recipients.filter((one) => one.state === state).length;
  const parts = [
    [count('failed'), 'failed'],
    [count('denied'), 'without access'],
    [count('pending'), 'waiting'],
    [count('sent'), 'sent'],
  ] as const;
  const text = parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ');
  return text === '' ? '-' : <span data-tone={count('failed') > 0 ? 'danger' : undefined}>{text}</span>;
}

function Actions({ schedule }: { schedule: Schedule }) {
  const name = withMarks(schedule.name);
  return (
    <>
      <RowAction icon={IconPencil} label={`Edit ${name}`} href={paths.scheduleEdit(schedule.id)} />
      <RowAction icon={IconTrash} label={`Delete ${name}`} color="danger" onClick={() => confirmDeletion(schedule)} />
    </>
  );
}

function confirmDeletion({ id, name }: Schedule): void {
  askToChange({
    title: 'Delete the schedule?',
    lines: [`Schedule "${name}"`, 'Its view stays.'],
    change: () => call(deleteSchedule, { params: { id } }),
    doneMessage: `Schedule "${withMarks(name)}" deleted`,
    reload: refreshSchedules,
  });
}
