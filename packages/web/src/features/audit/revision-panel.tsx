import { Button, Skeleton } from '@mantine/core';
import type { Revision } from '@switchyard/contract/history';
import type { RevisionTraffic } from '@switchyard/contract/marks';
import { useState } from 'react';
import { usePanelWidth } from '../../shared/json-panel/use-panel-width.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { Fact } from '../../shared/ui/fact.tsx';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { SidePanel } from '../../shared/ui/side-panel.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { ActionLabel } from './action-label.tsx';
import classes from './activity.module.css';
import { actorName } from './audit-words.ts';
import { ChangesView } from './changes-view.tsx';
import type { HistoryKind } from './history-kinds.ts';
import { TrafficFacts } from './revision-traffic.tsx';
import { useComparison } from './use-comparison.ts';
import { Writes } from '../../shared/ui/read-only.tsx';

type Props = {
  kind: HistoryKind;
  id: number;
  revision: Revision;
  /** Revisions to compare with. */
  revisions: readonly Revision[];
  /** Traffic around the revision of an app. */
  traffic: RevisionTraffic | undefined;
  onRestore: (revision: Revision) => void;
  onClose: () => void;
  onStep: (by: -1 | 1) => void;
};

const [itself, present] = ['itself', 'present'] as const;

/** One revision beside the list: who, when and its differences, from the one before or from a chosen one. */
export function RevisionPanel({ kind, id, revision, revisions, traffic, onRestore, onClose, onStep }: Props) {
  const [width, resize] = usePanelWidth();
  const displayDate = useDisplayDate();
  const [other, setOther] = useState<string>(itself);
  const date = displayDate(revision.at);
  const options = [
    { value: itself, name: 'What this change did' },
    { value: present, name: 'Current state' },
    ...revisions
      .filter((candidate) => candidate.id !== revision.id)
      .map((candidate) => ({ value: String(candidate.id), name: `${displayDate(candidate.at)} ${actorName(candidate)}` })),
  ];
  return (
    <SidePanel title={`Revision of ${date}`} width={width} onResize={resize} onClose={onClose} onStep={onStep}>
      <div className={classes['headline']}>
        <ActionLabel action={revision.restored === null ? revision.action : 'restore'} />
      </div>
      <dl className={classes['facts']}>
        <Fact name="Who">
          <VisibleText text={actorName(revision)} />
        </Fact>
        <Fact name="When">
          <span className="tabular">{date}</span>
        </Fact>
        {revision.restored !== null && (
          <Fact name="Restored">
            <RestoredFrom entry={revision.restored} revisions={revisions} />
          </Fact>
        )}
        <TrafficFacts traffic={traffic} />
      </dl>
      <div className={classes['compare']}>
        <Dropdown label="Compare with" options={options} value={other} onChange={(value) => setOther(value ?? itself)} width={260} />
        <Writes>
          <Button variant="default" onClick={() => onRestore(revision)}>
            Restore…
          </Button>
        </Writes>
      </div>
      {other === itself ? (
        <ChangesView changes={revision.changes} />
      ) : (
        <Comparison kind={kind} id={id} from={revision.id} to={other === present ? undefined : Number(other)} />
      )}
    </SidePanel>
  );
}

function RestoredFrom({ entry, revisions }: { entry: number; revisions: readonly Revision[] }) {
  const displayDate = useDisplayDate();
  const restored = revisions.find(({ id }) => id === entry);
  return <span>{restored === undefined ? `Entry ${entry}` : `Revision of ${displayDate(restored.at)}`}</span>;
}

function Comparison(compared: { kind: HistoryKind; id: number; from: number; to: number | undefined }) {
  const { data, error, isFetching, refetch } = useComparison(compared);
  if (data !== undefined) return <ChangesView changes={data.differences} none="There is no difference." />;
  if (error !== null) {
    return (
      <div className={classes['narrow']}>
        <RetryNote isRunning={isFetching} onRetry={refetch}>
          {error.message}
        </RetryNote>
      </div>
    );
  }
  return (
    <output aria-label="Loading" className={classes['narrow']}>
      <Skeleton height={80} />
    </output>
  );
}
