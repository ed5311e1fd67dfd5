import { ActionIcon, Menu, Skeleton, Title } from '@mantine/core';
import { narrowReport, readBoardQuery } from '@switchyard/contract/boards';
import type { Tile } from '@switchyard/contract/dashboard';
import { keptReportQuery } from '@switchyard/contract/reports';
import { IconArrowDown, IconArrowUp, IconDots, IconEyeOff, IconPencil, IconPinnedOff } from '@tabler/icons-react';
import { type ComponentProps, type ComponentType, lazy, memo, Suspense, useMemo, useRef } from 'react';
import { parseListQuery } from '../../../shared/listing/list-query.ts';
import { captureQuery, withView } from '../../../shared/listing/views/view-address.ts';
import { AppLink } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { Writes } from '../../../shared/ui/read-only.tsx';
import { RetryButton } from '../../../shared/ui/retry.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { rangeText } from '../report-words.ts';
import classes from './home-board.module.css';
import { type BoardAddress, countAgain } from './tile-calls.ts';
import type TileChart from './tile-chart.tsx';
import { TileFigure, TileTable } from './tile-content.tsx';

function NoChart() {
  return <p className={classes['detail']}>The chart could not be loaded. Reload the page to try again.</p>;
}

const LoadedChart = lazy<ComponentType<ComponentProps<typeof TileChart>>>(() =>
  import('./tile-chart.tsx').catch(() => ({ default: NoChart })),
);

/** The name of a tile in texts. */
export function tileName({ view }: Tile): string {
  return view?.name ?? 'Report that is not shared';
}

export type TileActions = {
  isFirst: boolean;
  isLast: boolean;
  /** Moves the tile in reading order; resolves when it is stored. */
  move: (by: -1 | 1) => Promise<unknown>;
  hide: () => void;
  /** Of own tiles. */
  change: () => void;
  remove: () => void;
};

type CardProps = {
  tile: Tile;
  at: BoardAddress;
  /** Period and filters of the board, as a query string. */
  within: string;
  actions: TileActions | null;
};

/** The report of a tile as the board counts it, on its own page. */
function reportHref({ id, query }: NonNullable<Tile['view']>, within: string): string {
  const by = within === '' ? null : readBoardQuery(within);
  const narrowed = by && narrowReport(parseListQuery(keptReportQuery, query), by);
  if (narrowed === null && id !== null) return withView(paths.reports(), id);
  const path = `${paths.reports()}?${narrowed === null ? query : captureQuery(keptReportQuery, narrowed)}`;
  return id === null ? path : withView(path, id);
}

/** A report on the board. `actions` are absent while the board is edited; a move renders no card then. */
export const TileCard = memo(function TileCard({ tile, at, within, actions }: CardProps) {
  const { id, view, report, owner, is_own: isOwn } = tile;
  const name = <VisibleText text={tileName(tile)} />;
  return (
    <>
      <div className={classes['head']}>
        <Title order={2} id={`tile-${id}`} className={classes['name'] ?? ''} title={withMarks(tileName(tile))}>
          {view === null || actions === null ? (
            name
          ) : (
            <AppLink href={reportHref(view, within)} className={classes['link'] ?? ''}>
              {name}
            </AppLink>
          )}
        </Title>
        {actions !== null && <TileMenu tile={tile} at={at} {...actions} />}
      </div>
      {report !== null && (
        <p className={classes['detail']}>
          {rangeText(report.from, report.to)}
          {!report.is_complete && ', incomplete: older events were deleted'}
          {!isOwn && (
            <>
              , by <VisibleText text={owner.name} />
            </>
          )}
        </p>
      )}
      <TileBody tile={tile} at={at} within={within} />
    </>
  );
});

function TileBody({ tile, at, within }: Omit<CardProps, 'actions'>) {
  const { view, shape, report, measure, state, message } = tile;
  const query = useMemo(() => parseListQuery(keptReportQuery, view?.query ?? ''), [view?.query]);
  if (state === 'denied') return <p className={classes['detail']}>Its owner does not share it with you.</p>;
  if (state === 'failed')
    return (
      <div role="alert" className={classes['failure']}>
        <span>{message}</span> <RetryButton onRetry={() => countAgain(at, tile)} />
      </div>
    );
  if (report === null)
    return (
      <div className={classes['pending']}>
        <Skeleton height={shape === 'figure' ? 40 : 150} radius="md" />
        <span className={classes['detail']}>Still counting…</span>
      </div>
    );
  const shown = { report, query };
  if (shape === 'table') return <TileTable {...shown} name={tileName(tile)} />;
  if (shape === 'figure') return <TileFigure {...shown} column={measure ?? ''} />;
  return (
    <Suspense fallback={<Skeleton height={150} radius="md" />}>
      <LoadedChart {...shown} column={measure ?? ''} within={within} />
    </Suspense>
  );
}

function TileMenu({ tile, at, isFirst, isLast, move, hide, change, remove }: TileActions & { tile: Tile; at: BoardAddress }) {
  const button = useRef<HTMLButtonElement>(null);
  const moveAndReturn = async (by: -1 | 1): Promise<void> => {
    await move(by);
    button.current?.focus();
  };
  return (
    <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Options of ${withMarks(tileName(tile))}`} data-screen-only>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isFirst && (
          <Writes>
            <Menu.Item leftSection={<IconArrowUp size={14} aria-hidden />} onClick={() => void moveAndReturn(-1)}>
              Move earlier
            </Menu.Item>
          </Writes>
        )}
        {!isLast && (
          <Writes>
            <Menu.Item leftSection={<IconArrowDown size={14} aria-hidden />} onClick={() => void moveAndReturn(1)}>
              Move later
            </Menu.Item>
          </Writes>
        )}
        {tile.is_own && tile.view !== null && (
          <Writes>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={change}>
              Change…
            </Menu.Item>
          </Writes>
        )}
        {tile.is_own ? (
          <Writes>
            <Menu.Item leftSection={<IconPinnedOff size={14} aria-hidden />} onClick={remove}>
              {at.boardId === null ? 'Remove from Home' : 'Remove from board'}
            </Menu.Item>
          </Writes>
        ) : (
          <Writes>
            <Menu.Item leftSection={<IconEyeOff size={14} aria-hidden />} onClick={hide}>
              Hide
            </Menu.Item>
          </Writes>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
