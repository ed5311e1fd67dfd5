import { Alert, Button, Checkbox, Group, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type Tile, tileLimits, tileMessages, tileShapes, type TileShape } from '@switchyard/contract/dashboard';
import { isByStatus, measuresOf, ownRatiosOf, ratioColumn, reportQuery } from '@switchyard/contract/reports';
import { viewLimits } from '@switchyard/contract/saved-views';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { isSame } from '../../../shared/form/conflict.ts';
import { parseListQuery } from '../../../shared/listing/list-query.ts';
import { viewsQuery } from '../../../shared/listing/views/use-saved-views.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import { Popup } from '../../../shared/ui/popup.tsx';
import { groupedNumber } from '../../../shared/ui/text-format.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { columnName } from '@switchyard/contract/report-texts';
import { boardsQuery, type BoardAddress, pin, saveTile, failureOf } from './tile-calls.ts';

/** A report to pin, with the column of its chart; or a tile to change. */
export type PinnedReport = { view: NonNullable<Tile['view']>; column?: string | undefined } & (
  | { tile?: undefined }
  | { tile: Tile; at: BoardAddress }
);

type Props = { pinned: PinnedReport | null; onClose: () => void };

/** Asks how a report is shown on Home, and to whom. */
export function TileDialog({ pinned, onClose }: Props) {
  // Keeps the form during the fade-out.
  const [shown, setShown] = useState(pinned);
  if (pinned !== null && pinned !== shown) setShown(pinned);
  return (
    <Popup
      isOpen={pinned !== null}
      onClose={onClose}
      title={shown?.tile === undefined ? 'Pin to Home' : 'Change tile'}
      showsOverflow
      closeOnBackdrop={false}
    >
      {shown !== null && <TileForm pinned={shown} onClose={onClose} />}
    </Popup>
  );
}

const shapeNames: Readonly<Record<TileShape, string>> = { figure: 'Figure', chart: 'Chart', table: 'Table' };

function TileForm({ pinned, onClose }: { pinned: PinnedReport; onClose: () => void }) {
  const { view, column, tile } = pinned;
  const boards = useQuery({ ...boardsQuery(), enabled: tile === undefined }).data?.filter((board) => board.is_own) ?? [];
  const [boardId, setBoardId] = useState<number | null>(pinned.tile === undefined ? null : pinned.at.boardId);
  const boardName = boards.find(({ id }) => id === boardId)?.name ?? 'Home';
  const [name, setName] = useState(view.name);
  const [shape, setShape] = useState<TileShape>(tile?.shape ?? 'figure');
  const columns = columnsOf(view, tile?.measure ?? null);
  const [measure, setMeasure] = useState(() => tile?.measure ?? columns.find((one) => one === column) ?? columns[0] ?? '');
  const [rows, setRows] = useState(String(tile?.rows ?? tileLimits.rows));
  const [roleIds, setRoleIds] = useState<readonly number[]>(tile?.role_ids ?? []);
  const [initial] = useState({ boardId, name, shape, measure, rows, roleIds });
  useUnsavedWork(!isSame({ boardId, name, shape, measure, rows, roleIds }, initial));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const body = {
      shape,
      measure: shape === 'table' ? null : measure,
      ...(shape === 'table' && { rows: Number(rows) }),
      role_ids: boardId === null ? [...roleIds] : [],
      ...(view.id === null && { name }),
    };
    const source = view.id === null ? { query: view.query } : { view_id: view.id };
    try {
      await (pinned.tile === undefined ? pin({ ...body, ...source, board_id: boardId }) : saveTile(pinned.at, pinned.tile, body));
      notify({ type: 'success', message: `"${name}" ${tile === undefined ? `pinned to ${boardName}` : 'changed'}` });
      onClose();
    } catch (error) {
      setProblem(failureOf('tile', error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {view.id === null ? (
          <TextInput
            label="Name"
            maxLength={viewLimits.nameCharacters}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : (
          <div style={{ overflowWrap: 'anywhere' }}>
            <VisibleText text={name} />
          </div>
        )}
        <Input.Wrapper label="Show as" labelElement="div">
          <SegmentedControl
            fullWidth
            mt={6}
            size="xs"
            aria-label="Show as"
            value={shape}
            onChange={setShape}
            data={tileShapes.map((value) => ({ value, label: shapeNames[value] }))}
          />
        </Input.Wrapper>
        {shape === 'table' ? (
          <TextInput
            label="Rows"
            description={`From 1 to ${groupedNumber(tileLimits.mostRows)}; the tile scrolls.`}
            inputMode="numeric"
            w={260}
            value={rows}
            onChange={(event) => setRows(event.currentTarget.value)}
          />
        ) : (
          <Dropdown
            label="Measure"
            width={260}
            options={columns.map((value) => ({ value, name: withMarks(columnName(value)) }))}
            value={measure}
            onChange={(value) => setMeasure(value ?? measure)}
          />
        )}
        {boards.length > 0 && (
          <Dropdown
            label="Board"
            width={260}
            options={[{ value: '', name: 'Home' }, ...boards.map((board) => ({ value: String(board.id), name: withMarks(board.name) }))]}
            value={String(boardId ?? '')}
            onChange={(id) => setBoardId(id === undefined || id === '' ? null : Number(id))}
          />
        )}
        {boardId === null && <Audience viewId={view.id} roleIds={roleIds} onChange={setRoleIds} />}
        {problem !== null && (
          <Alert color="danger" variant="light" role="alert">
            <VisibleText text={problem} />
          </Alert>
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {tile === undefined ? 'Pin' : 'Save'}
        </Button>
      </Group>
    </form>
  );
}

type AudienceProps = { viewId: number | null; roleIds: readonly number[]; onChange: (ids: readonly number[]) => void };

/** The roles on whose Home the tile is: those that see the view; any role of the reader for a report without one. */
function Audience({ viewId, roleIds, onChange }: AudienceProps) {
  const { data } = useQuery(viewsQuery('reports'));
  const view = data?.views.find(({ id }) => id === viewId);
  const reached = (data?.roles ?? []).filter(
    ({ id }) =>
      viewId === null || roleIds.includes(id) || view?.sharing === 'everyone' || (view?.sharing === 'roles' && view.role_ids.includes(id)),
  );
  const unlisted = roleIds.filter((id) => !reached.some((role) => role.id === id)).map((id) => ({ id, name: `Role #${id}` }));
  const choices = data === undefined ? [] : [...reached, ...unlisted];
  return (
    <Checkbox.Group
      label="Also on the Home of"
      description={
        data !== undefined && choices.length === 0
          ? `Only you see the tile. To show it to roles: ${tileMessages.roles.charAt(0).toLowerCase()}${tileMessages.roles.slice(1)}`
          : 'Each reader sees the figures of their own apps.'
      }
      value={roleIds.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    >
      <Stack gap={8} mt={8}>
        {choices.map((role) => (
          <Checkbox key={role.id} size="xs" value={String(role.id)} label={<VisibleText text={role.name} />} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The measures of a report that can be shown alone, and the one of the tile. */
function columnsOf({ query: text }: PinnedReport['view'], measure: string | null): string[] {
  const query = parseListQuery(reportQuery, text);
  const names: string[] = measuresOf(query).filter((one) => !isByStatus(one));
  return [...new Set([...names, ...ownRatiosOf(query).map(({ name }) => ratioColumn(name)), ...(measure === null ? [] : [measure])])];
}
