import {
  deleteSchedule,
  leaveSchedule,
  listAllSchedules,
  listReceivedSchedules,
  type ForeignSchedule,
} from '@switchyard/contract/schedules';
import { IconMailOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { call } from '../../shared/api/call.ts';
import { confirmDeletion, DeleteButton, EntityListPage, type ColumnInput } from '../../shared/entities/entity-list.tsx';
import { textColumn } from '../../shared/listing/entity-columns.tsx';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { askToChange } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { refreshSchedules, timeText, unseenView } from './schedule-form.ts';

/** Scheduled reports that the reader gets; each can be stopped. */
export function ReceivedSchedulesPage() {
  return (
    <EntityListPage
      name="schedules-received"
      noun="schedules"
      load={(input) => call(listReceivedSchedules, input)}
      note="Reports that others schedule for you. They show what you may see yourself."
      columns={receivedColumns}
      create={null}
      empty={{ title: 'No reports are mailed to you', text: 'Reports that others schedule for you are listed here.' }}
    />
  );
}

/** Scheduled reports of all accounts, for administrators. */
export function AllSchedulesPage() {
  return (
    <EntityListPage
      name="schedules-all"
      noun="schedules"
      load={loadAll}
      note="Scheduled reports of all accounts. Those of accounts without access are paused."
      columns={allColumns}
      create={null}
      empty={{ title: 'No schedules yet', text: 'Nobody has scheduled a report.' }}
    />
  );
}

/** Schedules whose names the reader may not see are named after their number. */
async function loadAll(input: { signal: AbortSignal }): Promise<{ data: ForeignSchedule[] }> {
  const { data } = await call(listAllSchedules, input);
  return { data: data.map((one) => ({ ...one, name: one.name ?? `Schedule ${one.id}` })) };
}

function receivedColumns(input: ColumnInput<ForeignSchedule>): ListColumn<ForeignSchedule>[] {
  return columnsWith((schedule) => <StopButton schedule={schedule} />, input);
}

function StopButton({ schedule }: { schedule: ForeignSchedule }) {
  return <RowAction icon={IconMailOff} label={`Stop ${withMarks(schedule.name)}`} onClick={() => confirmLeaving(schedule)} />;
}

function allColumns(input: ColumnInput<ForeignSchedule>): ListColumn<ForeignSchedule>[] {
  return columnsWith((schedule) => <DeleteButton row={schedule} onDelete={askToDelete} />, input);
}

/** How schedules of others are listed. `action`: the button of a row. */
function columnsWith(
  action: (schedule: ForeignSchedule) => ReactNode,
  { displayDate }: ColumnInput<ForeignSchedule>,
): ListColumn<ForeignSchedule>[] {
  return [
    { ...textColumn('name', 'Name', 200, ({ name }) => name), isMain: true },
    textColumn('owner', 'Scheduled by', 160, ({ owner }) => owner.name),
    textColumn('view', 'View', 180, ({ view }) => view.name ?? unseenView),
    { id: 'time', cellName: 'Time', width: 200, cell: (schedule) => timeText(schedule) },
    { id: 'recipients', cellName: 'Recipients', width: 96, cell: ({ recipients }) => <span className="tabular">{recipients}</span> },
    {
      id: 'next',
      cellName: 'Next mail',
      width: 150,
      cell: ({ is_on: isOn, is_paused: isPaused, next_run_at: at }) => (isPaused ? 'Paused' : isOn ? displayDate(at) : '-'),
    },
    { id: 'actions', cellName: 'Actions', width: 64, ...actionColumn, cell: action },
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

function askToDelete({ id, name, owner, recipients }: ForeignSchedule): void {
  confirmDeletion({
    noun: 'schedule',
    name,
    suffix: ` of ${owner.name}`,
    lines: [`${recipients} ${recipients === 1 ? 'recipient' : 'recipients'} will no longer receive it.`],
    change: () => call(deleteSchedule, { params: { id } }),
    reload: refreshSchedules,
  });
}
