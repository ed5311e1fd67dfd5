import { ActionIcon, Anchor, Menu, Skeleton, Title } from '@mantine/core';
import type { Tile } from '@switchyard/contract/dashboard';
import { reportQuery } from '@switchyard/contract/reports';
import { IconArrowLeft, IconArrowRight, IconCloudOff, IconDots, IconPencil, IconPinnedOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { parseListQuery } from '../../../shared/listing/list-query.ts';
import { AppLink } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { RetryButton } from '../../../shared/ui/retry.tsx';
import { StaleNotice } from '../../../shared/ui/stale-notice.tsx';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { groupedNumber } from '../../../shared/ui/text-format.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { rangeText } from '../report-words.ts';
import classes from './home-tiles.module.css';
import { countAgain, moveTile, removeTile, tileFailure, tilesQuery } from './tile-calls.ts';
import { TileChart, TileFigure, TileTable } from './tile-content.tsx';
import { TileDialog, type PinnedReport } from './tile-dialog.tsx';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** The saved reports that are pinned to Home. */
export default function HomeTiles() {
  const { data, error, isFetching, refetch } = useQuery(tilesQuery());
  const [pinned, setPinned] = useState<PinnedReport | null>(null);
  const own = data?.tiles.filter((tile) => tile.is_own) ?? [];
  return (
    <section aria-labelledby="home-tiles" className={classes['part']} aria-busy={data === undefined && error === null}>
      <Title order={2} id="home-tiles" className={classes['heading'] ?? ''}>
        Pinned reports
      </Title>
      {error !== null && data === undefined && (
        <StatePanel
          icon={IconCloudOff}
          tone="danger"
          order={3}
          title="Pinned reports could not be loaded"
          action={<RetryButton size="xs" isRunning={isFetching} onRetry={refetch} />}
        >
          {error.message}
        </StatePanel>
      )}
      {error !== null && data !== undefined && <StaleNotice what="reports" why={error.message} isRunning={isFetching} onRetry={refetch} />}
      {data?.tiles.length === 0 && (
        <p className="note">
          Open a saved view of{' '}
          <Anchor component={AppLink} href={paths.reports()} inherit underline="always">
            Reports
          </Anchor>{' '}
          and choose Pin to Home to see it here.
        </p>
      )}
      {data !== undefined && data.tiles.length > 0 && (
        <ul className={classes['tiles']} aria-labelledby="home-tiles">
          {data.tiles.map((tile) => (
            <TileCard
              key={tile.id}
              tile={tile}
              isFirst={tile.id === own[0]?.id}
              isLast={tile.id === own.at(-1)?.id}
              onChange={() => tile.view !== null && setPinned({ view: tile.view, tile })}
            />
          ))}
        </ul>
      )}
      {data !== undefined && data.hidden > 0 && (
        <p className="note">
          {groupedNumber(data.hidden)} more shared {data.hidden === 1 ? 'report is' : 'reports are'} not shown.
        </p>
      )}
      <TileDialog pinned={pinned} onClose={() => setPinned(null)} />
    </section>
  );
}

type CardProps = { tile: Tile; isFirst: boolean; isLast: boolean; onChange: () => void };

function TileCard({ tile, ...actions }: CardProps) {
  const { id, view, shape, report, owner, is_own: isOwn } = tile;
  return (
    <li className={classes['tile']} data-shape={shape} aria-labelledby={`tile-${id}`}>
      <div className={classes['head']}>
        <Title order={3} id={`tile-${id}`} className={classes['name'] ?? ''}>
          {view === null ? (
            'Report that is no longer shared'
          ) : (
            <AppLink href={`${paths.reports()}?view=${view.id}`} className={classes['link'] ?? ''}>
              <VisibleText text={view.name} />
            </AppLink>
          )}
        </Title>
        {isOwn && <TileMenu tile={tile} {...actions} />}
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
      <TileBody tile={tile} />
    </li>
  );
}

function TileBody({ tile }: { tile: Tile }) {
  const { view, shape, report, measure, state, message } = tile;
  const query = useMemo(() => parseListQuery(reportQuery, view?.query ?? ''), [view?.query]);
  if (state === 'denied') return <p className={classes['detail']}>Its owner no longer shares it with you.</p>;
  if (state === 'failed')
    return (
      <div role="alert" className={classes['failure']}>
        <span>{message}</span> <RetryButton onRetry={() => countAgain(tile)} />
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
  if (shape === 'table') return <TileTable {...shown} />;
  return shape === 'figure' ? <TileFigure {...shown} column={measure ?? ''} /> : <TileChart {...shown} column={measure ?? ''} />;
}

function TileMenu({ tile, isFirst, isLast, onChange }: CardProps) {
  const button = useRef<HTMLButtonElement>(null);
  const name = withMarks(tile.view?.name ?? 'Report that is no longer shared');
  const move = async (by: -1 | 1): Promise<void> => {
    await attempt(moveTile(tile, by));
    button.current?.focus();
  };
  return (
    <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Options of ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isFirst && (
          <Writes>
            <Menu.Item leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={() => void move(-1)}>
              Move earlier
            </Menu.Item>
          </Writes>
        )}
        {!isLast && (
          <Writes>
            <Menu.Item leftSection={<IconArrowRight size={14} aria-hidden />} onClick={() => void move(1)}>
              Move later
            </Menu.Item>
          </Writes>
        )}
        {tile.view !== null && (
          <Writes>
            <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={onChange}>
              Change…
            </Menu.Item>
          </Writes>
        )}
        <Writes>
          <Menu.Item leftSection={<IconPinnedOff size={14} aria-hidden />} onClick={() => void attempt(removeTile(tile))}>
            Remove from Home
          </Menu.Item>
        </Writes>
      </Menu.Dropdown>
    </Menu>
  );
}

async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    notify({ type: 'danger', message: tileFailure(error), closeOnClick: true });
  }
}
