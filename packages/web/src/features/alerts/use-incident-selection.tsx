import { Button } from '@mantine/core';
import type { Incident, IncidentsQuery } from '@switchyard/contract/alerts';
import { chosenIncidents, downloadIncidents } from '@switchyard/contract/incident-lists';
import { useMemo, useState, type ReactNode } from 'react';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { open } from '../../shared/api/call.ts';
import { SelectionBar } from '../../shared/bulk/selection-bar.tsx';
import { targetOf } from '../../shared/bulk/use-bulk-changes.tsx';
import { trayShows } from '../../shared/downloads/download-center.ts';
import { downloads } from '../../shared/downloads/downloads.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { selectionColumn } from '../../shared/listing/selection-column.tsx';
import type { ListState } from '../../shared/listing/use-list.ts';
import { countSelected, useSelection } from '../../shared/listing/use-selection.ts';
import { useReadOnly, Writes } from '../../shared/ui/read-only.tsx';
import { AcknowledgeDialog, type ChosenIncidents } from './acknowledge-dialog.tsx';
import { SilenceIncidentsDialog } from './silence-incidents-dialog.tsx';

const nameOf = ({ reason }: Incident): string => reason;

type Parts = {
  columns: readonly ListColumn<Incident>[];
  onSelect: (row: Incident, isRange: boolean) => void;
  /** Actions on the selected incidents, and the dialogs that ask for more. */
  bar: ReactNode;
};

/** Selects incidents of a list, and acknowledges, silences and downloads them. */
export function useIncidentSelection(list: ListState<IncidentsQuery, Incident>): Parts {
  const { selection, selected } = useSelection(list);
  const [act, setAct] = useState<{ name: 'acknowledge' | 'silence'; incidents: ChosenIncidents } | null>(null);
  const maySilence = useMayChangeAlerts();
  const readOnly = useReadOnly();
  const { rowId } = list;
  const columns = useMemo(() => [selectionColumn({ selection, rowId, nameOf, noun: 'incidents' })], [selection, rowId]);
  const total = list.pagination?.total ?? null;
  const keys = [...selected.keys];
  const begin = (name: 'acknowledge' | 'silence') => () =>
    setAct({ name, incidents: { count: countSelected(selected, total), target: targetOf(selected, list.fingerprint) } });
  const isTooLong = keys.length > chosenIncidents;
  const download = (): void => {
    const { page: _page, limit: _limit, ...query } = list.query;
    void downloads.start({
      key: `incidents ${selected.isAll} ${keys.join()} ${list.fingerprint}`,
      name: 'incidents.csv',
      open: (signal) =>
        open(downloadIncidents, { query: { ...query, [selected.isAll ? 'except' : 'ids']: keys }, signal, showsFailureItself: trayShows }),
      count: async () => countSelected(selected, total),
    });
  };
  const close = (): void => setAct(null);
  return {
    columns,
    onSelect: selection.toggle,
    bar: (
      <>
        <SelectionBar selection={selection} selected={selected} total={total} noun="incidents" hint={undefined}>
          <Writes>
            <Button size="compact-sm" onClick={begin('acknowledge')}>
              Acknowledge
            </Button>
          </Writes>
          {maySilence && (
            <Writes>
              <Button size="compact-sm" variant="default" onClick={begin('silence')}>
                Silence
              </Button>
            </Writes>
          )}
          <Button
            size="compact-sm"
            variant="default"
            disabled={isTooLong || readOnly !== null}
            title={
              isTooLong ? `A file names at most ${chosenIncidents} incidents one by one. Select all that match.` : (readOnly ?? undefined)
            }
            onClick={download}
          >
            Download
          </Button>
        </SelectionBar>
        <AcknowledgeDialog incidents={act?.name === 'acknowledge' ? act.incidents : null} onClose={close} onDone={selection.end} />
        {act?.name === 'silence' && <SilenceIncidentsDialog incidents={act.incidents} onClose={close} onDone={selection.end} />}
      </>
    ),
  };
}
