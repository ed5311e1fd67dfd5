import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import {
  cancelBulkRun,
  checkBulk,
  getBulkRun,
  startBulkRun,
  undoBulkRun,
  type BulkActionName,
  type BulkChange,
  type BulkEntityName,
  type BulkRun,
  type BulkTarget,
} from '@switchyard/contract/bulk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, inBackground } from '../api/call.ts';
import { asnChangesKey } from '../blocks/ban-toggle.tsx';
import { listKey } from '../listing/list-key.ts';
import { accountTokensKey } from '../tokens/account-tokens-key.ts';
import { useDisplayDate } from '../time/server-time.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Popup } from '../ui/popup.tsx';
import { groupedNumber } from '../ui/text-format.ts';
import { BulkBelongings } from './bulk-belongings.tsx';
import { BlockedRequests, BulkRows } from './bulk-rows.tsx';
import { actOf, countText, isUnderWay, resultTexts, runName, sumOf } from './bulk-texts.ts';

/** Start of a bulk change's dialog: a change to check, or a run that was made before. */
export type BulkBegin = { title: string; change: BulkChange; target: BulkTarget } | { title: string; runId: number };

type Props = {
  begin: BulkBegin;
  onClose: () => void;
  /** Called when a run is started. */
  onDone: () => void;
  /** Called when a run is over, for what shows the rows elsewhere than in a list. */
  onOver?: (() => void) | undefined;
};

const pollMilliseconds = 700;

/** Actions without an inverse. */
const finalActions: ReadonlySet<string> = new Set(['account.end_sessions'] satisfies BulkActionName[]);

/** Cache keys of what shows the rows of each entity; it is loaded again after a run. */
const shownIn: Readonly<Record<BulkEntityName, readonly (readonly unknown[])[]>> = {
  app: [listKey('apps')],
  asn: [listKey('asns'), asnChangesKey],
  black_ip: [listKey('black-ips')],
  account: [listKey('users'), listKey('buyers'), accountTokensKey],
};

/** Checks a change of many rows, shows what it would do, makes it and offers to undo it. Closing leaves a run under way alone. */
export function BulkDialog({ begin, onClose, onDone, onOver }: Props) {
  const [runId, setRunId] = useState('runId' in begin ? begin.runId : null);
  /** The run that this dialog has begun; one that was opened may be that of a script or of another tab. */
  const [ownId, setOwnId] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: ['bulk-run', runId],
    queryFn: async ({ signal }) => (await call(getBulkRun, { params: { id: runId ?? 0 }, signal, ...inBackground })).data,
    enabled: runId !== null,
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? pollMilliseconds : false),
  });
  const run = query.data;

  useEffect(() => {
    if ('runId' in begin) return undefined;
    let isCurrent = true;
    call(checkBulk, { body: { change: begin.change, target: begin.target } }).then(
      ({ data }) => {
        if (!isCurrent) return cancelUnasked(data.id);
        setRunId(data.id);
        return setOwnId(data.id);
      },
      (error: unknown) => isCurrent && setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [begin]);

  const reportOver = useEffectEvent(() => onOver?.());
  const changedEntity = run === undefined || run.finished_at === null ? null : run.entity;
  useEffect(() => {
    if (changedEntity === null) return;
    for (const queryKey of shownIn[changedEntity]) void cache.invalidateQueries({ queryKey });
    reportOver();
  }, [changedEntity, cache]);

  async function act(endpoint: typeof startBulkRun | typeof cancelBulkRun | typeof undoBulkRun): Promise<void> {
    if (runId === null) return;
    try {
      const { data } = await call(endpoint, { params: { id: runId } });
      cache.setQueryData(['bulk-run', data.id], data);
      setRunId(data.id);
      if (endpoint === undoBulkRun) setOwnId(data.id);
      if (endpoint === startBulkRun) onDone();
    } catch {
      // A failed call has already been shown by the error policy.
      await query.refetch();
    }
  }
  function close(): void {
    if (run !== undefined && run.id === ownId && (run.state === 'checking' || run.state === 'ready')) cancelUnasked(run.id);
    onClose();
  }

  return (
    <Popup isOpen onClose={close} title={run !== undefined && run.undo_of !== null ? 'Undo a change' : begin.title} width={560}>
      <Stack gap="sm">
        {failure !== null ? (
          <Text role="alert">{failure}</Text>
        ) : query.isError ? (
          <LoadFailure title="The change could not be loaded" onRetry={() => void query.refetch()}>
            {query.error.message}
          </LoadFailure>
        ) : (
          <RunState run={run} />
        )}
        <Group justify="flex-end" gap="xs">
          <RunButtons run={run} isOwn={run?.id === ownId} title={begin.title} onAct={(endpoint) => void act(endpoint)} onClose={close} />
        </Group>
      </Stack>
    </Popup>
  );
}

/** Cancels a check: it is for nobody once its dialog is closed. */
function cancelUnasked(id: number): void {
  void call(cancelBulkRun, { params: { id }, ...inBackground }).catch(() => undefined);
}

function RunState({ run }: { run: BulkRun | undefined }) {
  if (run === undefined || isUnderWay(run)) {
    const isCheck = run?.state !== 'running';
    const done = run === undefined ? 0 : sumOf(isCheck ? run.check : run.result);
    const text = isCheck ? 'Checking…' : 'Changing…';
    return (
      <>
        <Text aria-live="polite">
          {text} {run !== undefined && `${groupedNumber(done)} of ${groupedNumber(run.total)}`}
        </Text>
        <Progress value={run === undefined || run.total === 0 ? 0 : (100 * done) / run.total} aria-label={text} />
        {!isCheck && <Text c="dimmed">You can close this window: the change goes on while you stay signed in.</Text>}
      </>
    );
  }
  const counts = run.started_at === null ? run.check : run.result;
  const texts = resultTexts(counts, run.entity, run.started_at === null);
  const consequence = actOf(run.change)?.consequence;
  return (
    <>
      <Text>{stateText(run)}</Text>
      {run.undo_of !== null && <UndoneRun id={run.undo_of} />}
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {run.state === 'ready' && consequence !== undefined && <Text>{consequence}</Text>}
      {run.state === 'ready' && run.entity === 'asn' && <BlockedRequests runId={run.id} />}
      {run.state === 'ready' && run.entity === 'account' && <BulkBelongings run={run} />}
      <BulkRows run={run} />
    </>
  );
}

/** The run that an undo undoes: what it did, and when. */
function UndoneRun({ id }: { id: number }) {
  const displayDate = useDisplayDate();
  const { data } = useQuery({
    queryKey: ['bulk-run', id],
    queryFn: async ({ signal }) => (await call(getBulkRun, { params: { id }, signal, ...inBackground })).data,
  });
  if (data === undefined) return null;
  return (
    <Text c="dimmed">
      {runName(data)}, {displayDate(data.started_at ?? data.created_at)}
    </Text>
  );
}

function stateText({ state, problem, started_at: startedAt }: BulkRun): string {
  if (state === 'ready') return 'Nothing has been changed yet.';
  if (state === 'stopped') return `Stopped: ${problem ?? 'unknown reason'}.`;
  if (state === 'cancelled') return startedAt === null ? 'Cancelled. Nothing was changed.' : 'Cancelled. Rows changed before stay changed.';
  return 'Done.';
}

type ButtonsProps = {
  run: BulkRun | undefined;
  /** Whether the run was begun here, so that it ends with the dialog. */
  isOwn: boolean;
  /** Name of the action, on the button until the check is done. */
  title: string;
  onAct: (endpoint: typeof startBulkRun | typeof cancelBulkRun | typeof undoBulkRun) => void;
  onClose: () => void;
};

function RunButtons({ run, isOwn, title, onAct, onClose }: ButtonsProps) {
  if (run?.state === 'running')
    return (
      <>
        <Button variant="default" onClick={() => onAct(cancelBulkRun)}>
          Cancel the change
        </Button>
        <Button onClick={onClose}>Close</Button>
      </>
    );
  if (run === undefined || run.finished_at === null) {
    // In its place already during the check: a button that appears under the pointer would be pressed for Cancel.
    const act = run === undefined || run.undo_of !== null ? null : actOf(run.change);
    const lead = run !== undefined && run.undo_of !== null ? 'Undo' : (act?.lead ?? 'Change');
    return (
      <>
        <Button variant="default" onClick={run === undefined || isOwn ? onClose : () => onAct(cancelBulkRun)}>
          {run === undefined || isOwn ? 'Cancel' : 'Cancel the run'}
        </Button>
        <Button
          {...(act?.isDangerous && { color: 'danger' })}
          disabled={run?.state !== 'ready' || run.check.changed === 0}
          onClick={() => onAct(startBulkRun)}
        >
          {run?.state === 'ready' ? `${lead} ${countText(run.entity, run.check.changed)}` : title}
        </Button>
      </>
    );
  }
  return (
    <>
      {run.started_at !== null && run.result.changed > 0 && run.undone_by === null && !finalActions.has(run.change?.action ?? '') && (
        <Button variant="default" onClick={() => onAct(undoBulkRun)}>
          Undo
        </Button>
      )}
      <Button onClick={onClose}>Close</Button>
    </>
  );
}
