import { Alert, Button, Menu } from '@mantine/core';
import type { Board, UnseenTile } from '@switchyard/contract/boards';
import type { Tile } from '@switchyard/contract/dashboard';
import { IconChevronDown, IconEyeOff, IconHome, IconLayoutDashboard, IconPlus, IconSettings, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { Writes } from '../../../shared/ui/read-only.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { BoardDialog } from './board-dialog.tsx';
import classes from './home-board.module.css';
import { boardsQuery, removeBoard } from './tile-calls.ts';

type MenuProps = { board: Board | null; onOpen: (id: number | null) => void };

/** Opens another board, creates one, and changes and deletes an own one. */
export function BoardMenu({ board, onOpen }: MenuProps) {
  const boards = useQuery(boardsQuery()).data ?? [];
  /** The board as it was when its settings were opened, or a new one; null: the dialog is closed. */
  const [edited, setEdited] = useState<{ board: Board | null } | null>(null);
  const remove = (own: Board): void =>
    askConfirm({
      title: `Delete board "${withMarks(own.name)}"`,
      lines: ['Its tiles are deleted, also for those that it is shared with.'],
      action: async () => {
        await removeBoard(own);
        onOpen(null);
      },
    });
  return (
    <>
      <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={`Board: ${withMarks(board?.name ?? 'Home')}`}
          >
            <span className={classes['cut']}>
              <VisibleText text={board?.name ?? 'Home'} />
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes['menu'] ?? ''}>
          <Menu.Item
            leftSection={<IconHome size={14} aria-hidden />}
            onClick={() => onOpen(null)}
            aria-current={board === null || undefined}
          >
            Home
          </Menu.Item>
          {boards.map(({ id, name, is_own: isOwn, owner }) => (
            <Menu.Item
              key={id}
              leftSection={<IconLayoutDashboard size={14} aria-hidden />}
              aria-current={id === board?.id || undefined}
              onClick={() => onOpen(id)}
            >
              <VisibleText text={isOwn ? name : `${name}, by ${owner.name}`} />
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Writes>
            <Menu.Item leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setEdited({ board: null })}>
              New board…
            </Menu.Item>
          </Writes>
          {board?.is_own === true && (
            <>
              <Writes>
                <Menu.Item leftSection={<IconSettings size={14} aria-hidden />} onClick={() => setEdited({ board })}>
                  Name and sharing…
                </Menu.Item>
              </Writes>
              <Writes>
                <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={() => remove(board)}>
                  Delete board…
                </Menu.Item>
              </Writes>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <BoardDialog edited={edited} onClose={() => setEdited(null)} onSaved={({ id }) => onOpen(id)} />
    </>
  );
}

/** Says which readers of a board do not see which of its tiles. */
export function UnseenNotice({ unseen, tiles }: { unseen: readonly UnseenTile[]; tiles: readonly Tile[] }) {
  if (unseen.length === 0) return null;
  const readers = Map.groupBy(unseen, ({ reader }) => reader);
  return (
    <Alert color="warning" variant="light" p="sm" icon={<IconEyeOff size={18} aria-hidden />} title="Not all readers see everything">
      <ul className={classes['unseen']}>
        {Array.from(readers, ([reader, rows]) => {
          const names = rows.map(({ tile_id: id }) => tiles.find((tile) => tile.id === id)?.view?.name ?? 'a report');
          const isBlind = rows.some(({ tile_id: id }) => id === null);
          return (
            <li key={reader}>
              <VisibleText
                text={
                  isBlind ? `${reader} may not open reports.` : `${reader} does not see ${names.join(', ')}: share the saved view, too.`
                }
              />
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
