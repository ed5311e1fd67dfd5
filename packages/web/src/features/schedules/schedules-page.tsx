import { deleteSchedule, listSchedules, type Schedule } from '@switchyard/contract/schedules';
import { call } from '../../shared/api/call.ts';
import { buttonColumn, confirmDeletion, EntityListPage, type ColumnInput } from '../../shared/entities/entity-list.tsx';
import { nameColumn, onColumn, textColumn } from '../../shared/listing/entity-columns.tsx';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { paths } from '../../shared/paths.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { refreshSchedules, timeText, unseenView } from './schedule-form.ts';

/** The reader's scheduled reports. */
export function SchedulesPage() {
  return (
    <EntityListPage
      name="schedules"
      noun="schedules"
      load={(input) => call(listSchedules, input)}
      note="Your saved views of Reports and Apps, mailed as files. Recipients get what they may see themselves, and channels the totals."
      columns={scheduleColumns}
      create={{ label: 'Create schedule', href: paths.scheduleCreate() }}
      pathOf={paths.scheduleEdit}
      empty={{ title: 'No schedules yet', text: 'Save a view of a report or of apps, then schedule it here.' }}
    />
  );
}

function scheduleColumns({ displayDate }: ColumnInput<Schedule>): ListColumn<Schedule>[] {
  return [
    onColumn(),
    nameColumn(paths.scheduleEdit),
    {
      id: 'view',
      cellName: 'View',
      width: 180,
      minWidth: 120,
      grows: true,
      cell: ({ view: { name, unknown_parameters: unknown, has_fixed_days: isFixed } }) => (
        <>
          <TitledText text={name ?? `${unseenView}. Nothing is mailed until you choose another view.`} />
          {unknown.length > 0 && <span className="note">Ignores {unknown.join(', ')}</span>}
          {isFixed && <span className="note">Always the same days</span>}
        </>
      ),
    },
    { id: 'time', cellName: 'Time', width: 200, isMain: true, cell: (schedule) => timeText(schedule) },
    textColumn('recipients', 'Recipients', 200, ({ recipients, channels }) =>
      [...recipients, ...channels].map(({ name }) => name).join(', '),
    ),
    {
      id: 'next',
      cellName: 'Next mail',
      width: 150,
      cell: ({ is_on: isOn, next_run_at: at }) => <span className="tabular">{isOn ? displayDate(at) : '-'}</span>,
    },
    { id: 'last', cellName: 'Last mails', width: 150, isMain: true, cell: (schedule) => <LastMails schedule={schedule} /> },
    buttonColumn({ pathOf: paths.scheduleEdit, onDelete: askToDelete }),
  ];
}

function askToDelete({ id, name }: Schedule): void {
  confirmDeletion({
    noun: 'schedule',
    name,
    lines: ['Its view stays.'],
    change: () => call(deleteSchedule, { params: { id } }),
    reload: refreshSchedules,
  });
}

/** Outcomes of the newest mails, the worst first. */
function LastMails({ schedule: { recipients, channels_state: ofChannels } }: { schedule: Schedule }) {
  const states = [...recipients.map(({ state }) => state), ofChannels];
  const count = (state: Schedule['channels_state']): number => states.filter((one) => one === state).length;
  const parts = [
    [count('failed'), 'failed'],
    [count('denied'), 'without access'],
    [count('pending'), 'waiting'],
    [count('sent'), 'sent'],
  ] as const;
  const text = parts.flatMap(([number, word]) => (number === 0 ? [] : [`${number} ${word}`])).join(', ');
  return text === '' ? '-' : <span data-tone={count('failed') > 0 ? 'danger' : undefined}>{text}</span>;
}
