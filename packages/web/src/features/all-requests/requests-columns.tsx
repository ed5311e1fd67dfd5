import type { RequestRow } from '@switchyard/contract/requests';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { requestColumns } from '../../shared/traffic/request-columns.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

type Input = {
  displayDate: (text: string) => string;
  onShow: (row: RequestRow) => void;
};

/** The columns of the requests of all apps; together they fit a table 974 px wide, that of a 1024 px window (REQ-012 to REQ-021, REQ-025 to REQ-027). */
export function requestsColumns({ displayDate, onShow }: Input): ListColumn<RequestRow>[] {
  const { id, stream, ip, bot, date, type, body } = requestColumns({
    dateOf: (row) => displayDate(row.date),
    onShow,
    isShowable: (row) => row.has_body,
  });
  return [
    { ...id, cellNameOrderAble: 'id' },
    {
      id: 'app',
      cellName: 'App',
      width: 124,
      minWidth: 90,
      grows: true,
      cell: (row) => (
        <span title={withMarks(row.app_bundle)}>
          <VisibleText text={row.app_bundle} />
        </span>
      ),
    },
    stream,
    ip,
    bot,
    date,
    { ...type, cellNameOrderAble: 'type' },
    body,
  ];
}
