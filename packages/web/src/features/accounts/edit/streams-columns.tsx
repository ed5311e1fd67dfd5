import type { BuyerStream } from '@switchyard/contract/buyers';
import type { ListColumn } from '../../../shared/listing/list-column.ts';
import { CopyIcon } from '../../../shared/ui/copy.tsx';
import { CutLabel } from '../../../shared/ui/cut-label.tsx';
import classes from './streams.module.css';
import { textLengths } from '../../../shared/ui/display-limits.ts';

/** The domain of an offer's URL; other text unchanged, `-` if there is none. */
function offerDomain(offer: string | null): string {
  if (offer === null || offer === '') return '-';
  return (URL.canParse(offer) && new URL(offer).hostname) || offer;
}

/** The cloaking level of a stream in words. */
function cloakingText(level: string | null): string {
  if (level === null || level === '') return '-';
  return level === 'organic' ? 'organic & ads' : level;
}

/** The columns of a buyer's streams. */
export function streamsColumns(displayDate: (text: string) => string): ListColumn<BuyerStream>[] {
  return [
    { id: 'uid', cellName: '#', title: 'Key', width: 148, minWidth: 110, isFixed: true, cell: ({ uid }) => <StreamKey uid={uid} /> },
    {
      id: 'name',
      cellName: 'Stream name',
      width: 150,
      minWidth: 110,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: ({ name }) => <CutLabel text={name} from={textLengths.streamName.from} to={textLengths.streamName.to} />,
    },
    {
      id: 'bundle',
      cellName: 'Bundle',
      width: 150,
      minWidth: 100,
      grows: true,
      isMain: true,
      cell: ({ bundle }) => <span title={bundle}>{bundle}</span>,
    },
    {
      id: 'country',
      cellName: 'Country',
      width: 96,
      minWidth: 80,
      cell: ({ rules: { country } }) => <span title={country.join(', ')}>{country.length === 0 ? '-' : country.join(', ')}</span>,
    },
    {
      id: 'offer',
      cellName: 'Offer',
      width: 140,
      minWidth: 90,
      isMain: true,
      cell: ({ offer }) => <span title={offer ?? undefined}>{offerDomain(offer)}</span>,
    },
    { id: 'cloaking', cellName: 'Level cloaking', width: 118, minWidth: 102, cell: ({ level_cloaking: level }) => cloakingText(level) },
    {
      id: 'created',
      cellName: 'Created',
      width: 150,
      cell: ({ created_at: date }) => <span className="tabular">{displayDate(date)}</span>,
    },
    {
      id: 'updated',
      cellName: 'Updated',
      width: 150,
      cell: ({ updated_at: date }) => <span className="tabular">{displayDate(date)}</span>,
    },
  ];
}

function StreamKey({ uid }: { uid: string }) {
  return (
    <span className={classes['key']}>
      <span className={`${classes['uid'] ?? ''} mono`} title={uid}>
        {uid}
      </span>
      <CopyIcon text={uid} label={`Copy the key ${uid}`} />
    </span>
  );
}
