import type { RequestRow } from '@switchyard/contract/requests';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { requestColumns } from '../../shared/traffic/request-columns.tsx';

type Input = {
  dateOf: (row: RequestRow) => string;
  /** Dates carry microseconds, which need a wider column. */
  isPrecise: boolean;
  onShow: (row: RequestRow) => void;
};

/** The columns of the Event tab; the date alone sorts (EVT-025 to EVT-031, AMB-138, AMB-145). */
export function eventColumns({ dateOf, isPrecise, onShow }: Input): ListColumn<RequestRow>[] {
  const { id, ip, bot, stream, date, type, body } = requestColumns({ dateOf, onShow });
  return [
    id,
    { ...ip, grows: true },
    { ...bot, cellName: 'Bot labels', width: 104 },
    { ...stream, cellName: 'Stream name' },
    { ...date, width: isPrecise ? 216 : 160 },
    type,
    body,
  ];
}
