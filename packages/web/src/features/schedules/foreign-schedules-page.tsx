import {
  deleteSchedule,
  leaveSchedule,
  listAllSchedules,
  listReceivedSchedules,
  type ForeignSchedule,
} from '@switchyard/contract/schedules';
import { IconMailOff, IconTrash } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { useWholeList } from '../../shared/listing/use-whole-list.ts';
import { Page } from '../../shared/page/page.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askToChange } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { refreshSchedules, timeText } from './schedule-model.ts';

const rowId = ({ id }: ForeignSchedule): number => id;

function stopAction(schedule: ForeignSchedule) {
  return <RowAction icon={IconMailOff} label={`Stop ${withMarks(schedule.name)}`} onClick={() => confirmLeaving(schedule)} />;
}

function deleteAction(schedule: ForeignSchedule) {
  return (
    <RowAction icon={IconTrash} color="danger" label={`Delete ${withMarks(schedule.name)}`} onClick={() => confirmDeletion(schedule)} />
  );
}

/** Scheduled reports that the reader gets; each can be stopped. */
export function ReceivedSchedulesPage() {
  const result = useQuery({ queryKey: listKey('schedules-received'), queryFn: ({ signal }) => call(listReceivedSchedules, { signal }) });
  return (
    <SchedulesList
      name="schedules-received"
      result={result}
      note="Reports that others schedule for you. They show what you may see yourself."
      empty={{ title: 'No reports are mailed to you', text: 'Reports that others schedule for you are listed here.' }}
      action={stopAction}
    />
  );
}

/** Scheduled reports of all accounts, for administrators. */
export function AllSchedulesPage() {
  const result = useQuery({ queryKey: listKey('schedules-all'), queryFn: ({ signal }) => call(listAllSchedules, { signal }) });
  return (
    <SchedulesList
      name="schedules-all"
      result={result}
      note="Scheduled reports of all accounts. Those of accounts without access are paused."
      empty={{ title: 'No schedules yet', text: 'Nobody has scheduled a report.' }}
      action={deleteAction}
    />
  );
}

type Props = {
  name: string;
  result: UseQueryResult<{ data: ForeignSchedule[] }>;
  note: string;
  empty: { title: string; text: string };
  /** Must keep what it shows for a row. */
  action: (schedule: ForeignSchedule) => React.ReactNode;
};

function SchedulesList({ name, result, note, empty, action }: Props) {
  const list = useWholeList({ name, result, rows: result.data?.data, rowId });
  const displayDate = useDisplayDate();
  const columns = useMemo(() => columnsOf(displayDate, action), [displayDate, action]);
  return (
    <Page>
      <p className="note">{note}</p>
      <List list={list} noun="schedules" columns={columns} filters={{}} pages="none" empty={empty} />
    </Page>
  );
}

function columnsOf(displayDate: (text: string) => string, action: Props['action']): ListColumn<ForeignSchedule>[] {
  return [
    { id: 'name', cellName: 'Name', width: 200, minWidth: 120, grows: true, isMain: true, cell: ({ name }) => <TitledText text={name} /> },
    {
      id: 'owner',
      cellName: 'Scheduled by',
      width: 160,
      minWidth: 120,
      grows: true,
      cell: ({ owner }) => <TitledText text={owner.name} />,
    },
    { id: 'view', cellName: 'View', width: 180, minWidth: 120, grows: true, cell: ({ view }) => <TitledText text={view.name} /> },
    { id: 'time', cellName: 'Time', width: 200, cell: (schedule) => timeText(schedule) },
    { id: 'recipients', cellName: 'Recipients', width: 96, cell: ({ recipients }) => <span className="tabular">{recipients}</span> },
    {
      id: 'next',
      cellName: 'Next mail',
      width: 150,
      cell: ({ is_on: isOn, is_paused: isPaused, next_run_at: at }) => (isPaused ? 'Paused' : isOn ? displayDate(at) : '-'),
    },
    { id: 'actions', cellName: 'Actions', width: 64, ...actionColumn, cell: (schedule) => action(schedule) },
  ];
}

function confirmLeaving({ id, name, owner }: ForeignSchedule): void {
  askToChange({
    title: 'Stop these emails?',
    lines: [`Report "${name}"`, `${owner.name} can schedule it for you again.`],
    change: () => call(leaveSchedule, { params: { id } }),
    doneMessage: `Report "${withMarks(name)}" stopped`,
    reload: refreshSchedules,
  });
}

function confirmDeletion({ id, name, owner, recipients }: ForeignSchedule): void {
  askToChange({
    title: 'Delete the schedule?',
    lines: [
      `Schedule "${name}" of ${owner.name}`,
      `${recipients} ${recipients === 1 ? 'recipient gets' : 'recipients get'} no more mails of it.`,
    ],
    change: () => call(deleteSchedule, { params: { id } }),
    doneMessage: `Schedule "${withMarks(name)}" deleted`,
    reload: refreshSchedules,
  });
}
