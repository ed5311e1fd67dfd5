import { ActionIcon, Anchor, Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { type Dashboard, type HomeCard, noFilters, type Place, type Tile } from '@switchyard/contract/dashboard';
import { IconArrowsDiagonal2, IconCloudOff, IconEye, IconEyeOff, IconGripVertical, IconLayoutDashboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { AppLink, readId, useOpenPath, useParameter } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { Writes } from '../../../shared/ui/read-only.tsx';
import { RetryButton } from '../../../shared/ui/retry.tsx';
import { StaleNotice } from '../../../shared/ui/stale-notice.tsx';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { groupedNumber } from '../../../shared/ui/text-format.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { arrange, inReadingOrder, type ItemId, moveInOrder, setHidden } from './board-layout.ts';
import { BoardFilters, isSameQuery } from './board-filters.tsx';
import { BoardMenu, UnseenNotice } from './board-head.tsx';
import classes from './home-board.module.css';
import {
  type BoardAddress,
  changeBoard,
  changePlaces,
  type Layout,
  ownLayout,
  removeTile,
  saveLayout,
  failureOf,
  tilesQuery,
} from './tile-calls.ts';
import { TileCard, tileName } from './tile-card.tsx';
import { TileDialog, type PinnedReport } from './tile-dialog.tsx';
import { useArranging } from './use-arranging.ts';

/** A part of Home that is no tile. */
type Card = { id: HomeCard; title: string; content: ReactNode };
export type BoardProps = {
  /** What stands before the buttons of the board. */
  line: ReactNode;
  cards: readonly Card[];
};

/** What is on the board: a tile or a card, with its name. */
type Item = { of: ItemId; name: string } & ({ tile: Tile; card: null } | { tile: null; card: Card });

/** Home or the board that the address names. Another one starts without the edits of the former, and late answers do not change it. */
export default function HomeBoard(props: BoardProps) {
  const boardId = readId(useParameter('board')[0]);
  return <OneBoard key={boardId} boardId={boardId} {...props} />;
}

/** Reports, and the cards of Home, on a grid, which phones show as one column in reading order. */
function OneBoard({ boardId, line, cards }: BoardProps & { boardId: number | null }) {
  const [filters, setFilters] = useParameter('filters');
  const at = useMemo((): BoardAddress => ({ boardId, filters }), [boardId, filters]);
  const { data, error, isFetching, refetch } = useQuery(tilesQuery(at));
  const openPath = useOpenPath();
  const open = (id: number | null): void => openPath(`${paths.home()}${id === null ? '' : `?board=${id}`}`);
  const board = data?.board ?? null;
  const query = filters === noFilters ? '' : (filters ?? board?.query ?? '');
  const [pinned, setPinned] = useState<PinnedReport | null>(null);
  const tiles = data?.tiles ?? [];
  const shownCards = boardId === null ? cards : [];
  const items: Item[] = [
    ...tiles.map((tile): Item => ({ of: tile.id, name: withMarks(tileName(tile)), tile, card: null })),
    ...shownCards.map((card): Item => ({ of: card.id, name: card.title, tile: null, card })),
  ];
  const placesOf = (known: Pick<Dashboard, 'tiles' | 'places'>): Place[] =>
    arrange(
      [...known.tiles.map(({ id, shape }) => ({ of: id, kind: shape })), ...shownCards.map(({ id }) => ({ of: id, kind: id }))],
      known.places,
    );
  const stored = placesOf(data ?? { tiles: [], places: [] });
  const [draft, setDraft] = useState<Draft | null>(null);
  const version = data?.version ?? 0;
  if (data === undefined && error === null) return <LoadingBoard line={line} />;
  const shown = inReadingOrder(stored);
  return (
    <section aria-label="Board" className={classes['part']}>
      {draft === null && (
        <div className={classes['line']}>
          {line}
          {board !== null && (
            <b className={classes['printed']}>
              <VisibleText text={board.name} />
            </b>
          )}
          <div className={classes['buttons']} data-screen-only>
            <BoardMenu board={board} onOpen={open} />
            {data !== undefined && (
              <Writes>
                <Button
                  className={classes['edit'] ?? ''}
                  variant="default"
                  size="xs"
                  leftSection={<IconLayoutDashboard size={16} aria-hidden />}
                  onClick={() => setDraft({ order: shown.map(({ of }) => of), places: stored, version })}
                >
                  Edit board
                </Button>
              </Writes>
            )}
          </div>
        </div>
      )}
      {board !== null && draft === null && (
        <BoardFilters
          key={board.id}
          board={board}
          query={query}
          onChange={(next) => setFilters(isSameQuery(next, board.query) ? null : next || noFilters)}
          onSave={
            board.is_own && !isSameQuery(query, board.query)
              ? () => void attempt(changeBoard(board, { query }).then(() => setFilters(null)))
              : null
          }
        />
      )}
      <UnseenNotice unseen={data?.unseen ?? []} tiles={tiles} />
      {error !== null && data === undefined && (
        <StatePanel
          icon={IconCloudOff}
          tone="danger"
          title={boardId === null ? 'Pinned reports could not be loaded' : 'The board could not be loaded'}
          action={<RetryButton size="xs" isRunning={isFetching} onRetry={refetch} />}
        >
          {error.message}
        </StatePanel>
      )}
      {error !== null && data !== undefined && <StaleNotice what="reports" why={error.message} isRunning={isFetching} onRetry={refetch} />}
      {data !== undefined && tiles.length === 0 && (
        <p className="note">
          Choose Pin to Home in{' '}
          <Anchor component={AppLink} href={paths.reports()} inherit underline="always">
            Reports
          </Anchor>{' '}
          {boardId === null ? 'to see a report here.' : 'and this board to see a report here.'}
        </p>
      )}
      {draft !== null ? (
        <EditedGrid items={items} at={at} within={query} draft={draft} set={setDraft} />
      ) : (
        <ul className={classes['grid']}>
          {shown.map((place, index) => {
            const item = items.find(({ of }) => of === place.of);
            if (item === undefined) return null;
            return (
              <GridItem key={place.of} place={place} item={item}>
                {item.tile === null ? (
                  item.card.content
                ) : (
                  <TileCard
                    tile={item.tile}
                    at={at}
                    within={query}
                    actions={{
                      isFirst: index === 0,
                      isLast: index === shown.length - 1,
                      move: (by) => attempt(changePlaces(at, (known) => moveInOrder(placesOf(known), place.of, by))),
                      hide: () => void attempt(changePlaces(at, (known) => setHidden(placesOf(known), place.of, true))),
                      change: () => setPinned(pinnedOf(item.tile, at)),
                      remove: () => void attempt(removeTile(at, item.tile)),
                    }}
                  />
                )}
              </GridItem>
            );
          })}
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

function pinnedOf(tile: Tile, at: BoardAddress): PinnedReport | null {
  return tile.view === null ? null : { view: tile.view, tile, at };
}

function LoadingBoard({ line }: Pick<BoardProps, 'line'>) {
  return (
    <section aria-label="Board" className={classes['part']} aria-busy>
      <div className={classes['line']}>{line}</div>
      <output aria-label="Loading">
        <Skeleton height={164} radius="md" mb={12} />
        <Skeleton height={296} radius="md" />
      </output>
    </section>
  );
}

/** A place of the grid. `handles` are those of the edited board. */
function GridItem({ place, item, handles, children }: { place: Place; item: Item; handles?: ReactNode; children: ReactNode }) {
  const { x, y, w, h } = place;
  const style: CSSProperties & Record<'--x' | '--y' | '--w' | '--h', number> = { '--x': x + 1, '--y': y + 1, '--w': w, '--h': h };
  return (
    <li className={classes['tile']} style={style} data-kind={item.tile?.shape ?? item.card?.id} aria-label={item.name}>
      {handles}
      {children}
    </li>
  );
}

/** An edited layout, and the order in which its items stay in the document, so that a moved one keeps the focus. */
type Draft = Layout & { order: readonly ItemId[] };
type EditedProps = {
  items: readonly Item[];
  at: BoardAddress;
  within: string;
  draft: Draft;
  set: (draft: Draft | null) => void;
};

/** The grid while it is edited: items have handles, and nothing is stored before *Done*. */
function EditedGrid({ items, at, within, draft, set }: EditedProps) {
  const { order, places } = draft;
  const board = useRef<HTMLUListElement>(null);
  const [spoken, setSpoken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const change = (next: readonly Place[]): void => set({ ...draft, places: next });
  const handlersOf = useArranging({ board, places, set: change, say: setSpoken });
  const release = useUnsavedWork(true);
  const hiddenItems = items.filter(({ of }) => places.some((place) => place.of === of && place.is_hidden));
  const store = async (): Promise<void> => {
    const own = await ownLayout(at, draft);
    // With these ids it stays in the editor, should it not be stored.
    set(own);
    await saveLayout(at, own);
  };
  const leave = (): void => {
    release();
    set(null);
  };
  return (
    <>
      <div className={classes['editing']} data-screen-only>
        <p className="note" id="board-help">
          Drag a tile by its handle, and size it at its corner. By keyboard: arrow keys move it, Shift with arrow keys sizes it.
        </p>
        <Button
          size="xs"
          loading={isBusy}
          onClick={() => {
            setBusy(true);
            void attempt(store()).then((isDone) => (isDone ? leave() : setBusy(false)));
          }}
        >
          Done
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={leave}>
          Cancel
        </Button>
      </div>
      {hiddenItems.length > 0 && (
        <div className={classes['hidden']} data-screen-only>
          Hidden:
          {hiddenItems.map(({ of, name }) => (
            <Button
              key={of}
              size="compact-xs"
              variant="default"
              leftSection={<IconEye size={14} aria-hidden />}
              onClick={() => set({ ...draft, order: [...order.filter((one) => one !== of), of], places: setHidden(places, of, false) })}
            >
              <span className={classes['cut']}>Show {name}</span>
            </Button>
          ))}
        </div>
      )}
      <VisuallyHidden aria-live="polite">{spoken}</VisuallyHidden>
      <ul className={classes['grid']} ref={board} data-edited>
        {order.map((of) => {
          const [place, item] = [places.find((one) => one.of === of), items.find((one) => one.of === of)];
          if (place === undefined || item === undefined || place.is_hidden) return null;
          const handles = (
            <>
              <div className={classes['handles']} data-screen-only>
                <ActionIcon
                  variant="default"
                  className={classes['grip'] ?? ''}
                  aria-label={`Move ${item.name}`}
                  aria-describedby="board-help"
                  {...handlersOf(of, item.name, 'move')}
                >
                  <IconGripVertical size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon variant="default" aria-label={`Hide ${item.name}`} onClick={() => change(setHidden(places, of, true))}>
                  <IconEyeOff size={16} aria-hidden />
                </ActionIcon>
              </div>
              <ActionIcon
                variant="default"
                size="sm"
                className={classes['corner'] ?? ''}
                data-screen-only
                aria-label={`Size ${item.name}`}
                aria-describedby="board-help"
                {...handlersOf(of, item.name, 'size')}
              >
                <IconArrowsDiagonal2 size={14} aria-hidden />
              </ActionIcon>
            </>
          );
          return (
            <GridItem key={of} place={place} item={item} handles={handles}>
              {item.tile === null ? (
                <div inert>{item.card.content}</div>
              ) : (
                <TileCard tile={item.tile} at={at} within={within} actions={null} />
              )}
            </GridItem>
          );
        })}
      </ul>
    </>
  );
}

/** Says why a write failed, and gives whether it did not. */
async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    notify({ type: 'danger', message: failureOf('board', error), closeOnClick: true });
    return false;
  }
}
