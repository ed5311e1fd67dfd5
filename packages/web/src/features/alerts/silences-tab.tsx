import { Button } from '@mantine/core';
import { endSilence, listSilences, type Silence } from '@switchyard/contract/alerts';
import { parseDateTime } from '@switchyard/contract/dates';
import { isWithinWeek, weeklyText } from '@switchyard/contract/weekly-times';
import { IconBellOff, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { kindWords } from '../../shared/alerts/alert-words.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { useWholeList } from '../../shared/listing/use-whole-list.ts';
import { readId, useParameter } from '../../shared/navigation.tsx';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { useMinute } from '../../shared/time/use-minute.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import classes from './incidents.module.css';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { scopeText } from './scope-fields.tsx';
import { SilenceDialog } from './silence-dialog.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';

const key = listKey('silences');
const rowId = ({ id }: Silence): number => id;

/** Reloads the silences, and the incidents that they keep quiet. */
async function refreshSilences(): Promise<void> {
  await Promise.all([key, listKey('incidents')].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Silences and maintenance windows, in which incidents are not announced. */
export function SilencesTab() {
  const result = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => ({ rows: (await call(listSilences, { signal })).data, readAt: correctedClock.serverNow() }),
  });
  const list = useWholeList({ name: 'silences', result, rows: result.data?.rows, rowId });
  const displayDate = useDisplayDate();
  const minute = useMinute();
  // A silence that began after the minute did is active.
  const now = result.data !== undefined && result.data.readAt > minute ? result.data.readAt : minute;
  const offset = useServerOffset();
  const mayChange = useMayChangeAlerts();
  const [wantedRule, setWantedRule] = useParameter('add');
  const [wantedApp, setWantedApp] = useParameter('addApp');
  const [wantedServer, setWantedServer] = useParameter('addServer');
  const ruleId = readId(wantedRule);
  const [isAdding, setIsAdding] = useState(false);
  const columns = useMemo(() => silenceColumns({ displayDate, now, offset, mayChange }), [displayDate, now, offset, mayChange]);
  const add = mayChange ? (
    <Writes>
      <Button leftSection={<IconBellOff size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
        Create silence
      </Button>
    </Writes>
  ) : null;
  const close = (): void => {
    setIsAdding(false);
    setWantedRule(null);
    setWantedApp(null);
    setWantedServer(null);
  };
  return (
    <>
      <div className={classes['head']}>
        <p className="note">Silenced incidents are listed, but not announced.</p>
        {add}
      </div>
      <List
        list={list}
        noun="silences"
        columns={columns}
        filters={{}}
        pages="none"
        empty={{ title: 'No silences', text: 'Plan one before maintenance, so that no alerts are sent.', action: add }}
      />
      {mayChange && (
        <SilenceDialog
          isOpen={isAdding || ruleId !== null || readId(wantedServer) !== null}
          subject={{ ruleId, appId: readId(wantedApp), serverId: readId(wantedServer) }}
          onClose={close}
          onCreated={refreshSilences}
        />
      )}
    </>
  );
}

type Moment = { now: Date; offset: string };

type State = 'Planned' | 'Active' | 'Ended';

function stateOf({ starts_at: start, ends_at: end, weekly }: Silence, { now, offset }: Moment): State {
  const at = now.getTime() * 1000;
  if (at >= parseDateTime(end)) return 'Ended';
  return at >= parseDateTime(start) && (weekly === null || isWithinWeek(weekly, at, offset)) ? 'Active' : 'Planned';
}

const tones: Readonly<Record<State, string | undefined>> = { Planned: 'info', Active: 'warning', Ended: undefined };

/** Coverage of a silence, in words. */
function coveredText({ kind, rule, server, scope }: Silence): string {
  const what = rule !== null ? `Rule ${rule.name}` : kind === null ? 'Everything' : kindWords[kind].name;
  return [what, ...(server === null ? [] : [`server ${server.name}`]), ...(scope.apps === 'all' ? [] : [scopeText(scope)])].join(', ');
}

type Input = Moment & { displayDate: (text: string) => string; mayChange: boolean };

function silenceColumns({ displayDate, mayChange, ...moment }: Input): ListColumn<Silence>[] {
  const actions: ListColumn<Silence> = {
    id: 'actions',
    cellName: 'End',
    width: 64,
    ...actionColumn,
    cell: (silence) =>
      stateOf(silence, moment) === 'Ended' ? null : (
        <RowAction
          icon={IconPlayerStop}
          label={`End the silence of ${withMarks(coveredText(silence))}`}
          title="End now"
          onClick={() => confirmEnd(silence)}
        />
      ),
  };
  return [
    {
      id: 'state',
      cellName: 'State',
      width: 90,
      isMain: true,
      isFixed: true,
      cell: (silence) => {
        const state = stateOf(silence, moment);
        return (
          <span className={classes['silenceState']} data-tone={tones[state]}>
            {state}
          </span>
        );
      },
    },
    {
      id: 'covers',
      cellName: 'Covers',
      width: 240,
      minWidth: 140,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (silence) => (
        <>
          <TitledText text={coveredText(silence)} />
          {silence.weekly !== null && <span className="note">{weeklyText(silence.weekly)}</span>}
        </>
      ),
    },
    { id: 'from', cellName: 'From', width: 150, cell: ({ starts_at: at }) => <span className="tabular">{displayDate(at)}</span> },
    {
      id: 'until',
      cellName: 'Until',
      width: 150,
      isMain: true,
      cell: ({ ends_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'note',
      cellName: 'Note',
      width: 200,
      minWidth: 120,
      grows: true,
      cell: ({ note }) => (note === '' ? '-' : <TitledText text={note} />),
    },
    {
      id: 'by',
      cellName: 'Created by',
      width: 120,
      minWidth: 80,
      cell: ({ created_by: by }) => (by === null ? '-' : <TitledText text={by.name} />),
    },
    ...(mayChange ? [actions] : []),
  ];
}

function confirmEnd(silence: Silence): void {
  askConfirm({
    title: 'End the silence?',
    lines: [coveredText(silence), 'Incidents that still fire are announced then.'],
    action: async () => {
      try {
        await call(endSilence, { params: { id: silence.id } });
        notify({ type: 'success', message: 'The silence has ended' });
      } finally {
        await refreshSilences();
      }
    },
  });
}
