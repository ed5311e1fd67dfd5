import { Button, Menu, TextInput, VisuallyHidden } from '@mantine/core';
import type { SavedView } from '@switchyard/contract/saved-views';
import { comparableText } from '@switchyard/contract/text-fields';
import {
  IconBookmarks,
  IconCheck,
  IconPencil,
  IconPlus,
  IconStarFilled,
  IconTrash,
  IconUsers,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSessionUser } from '../../session/use-session.ts';
import { askConfirm } from '../../ui/confirm.tsx';
import { withMarks } from '../../ui/hidden-characters.ts';
import { notify } from '../../ui/notifications/notification-center.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { SavedViews } from './use-saved-views.ts';
import { dropView, saveDefaultView, saveView, viewFailure } from './view-calls.ts';
import { ViewDialog } from './view-dialog.tsx';
import classes from './view-menu.module.css';
import { contentOf, isModified, isStandard, type ViewedColumns } from './view-state.ts';
import { Writes } from '../../ui/read-only.tsx';

type Props = {
  views: SavedViews;
  /** Absent where views keep the address alone. */
  columns?: ViewedColumns | undefined;
};

/** Opens, saves, shares and deletes the views of a list. */
export function ViewMenu({ views, columns }: Props) {
  const { active } = views;
  const button = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<SavedView | 'new' | null>(null);
  const content = contentOf(views, columns);
  const modified = active !== undefined && isModified(views, active, { content, columns });
  const name = active === undefined ? 'Views' : `View ${withMarks(active.name)}${modified ? ', modified' : ''}`;
  return (
    <>
      <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }} onOpen={views.refresh} width={300}>
        <Menu.Target>
          <Button
            ref={button}
            className={classes['button'] ?? ''}
            variant={active === undefined ? 'default' : 'light'}
            px={8}
            leftSection={<IconBookmarks size={16} aria-hidden />}
            aria-label={name}
            title={name}
          >
            <span className={classes['name']}>{active === undefined ? 'Views' : <VisibleText text={active.name} />}</span>
            {modified && <span className={classes['dot']} aria-hidden />}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes['menu'] ?? ''}>
          <Choices views={views} modified={modified} onChoose={() => columns?.choice.revert()} />
          <Menu.Divider />
          <Actions
            views={views}
            isModified={modified}
            isResettable={active === undefined && !isStandard(content)}
            save={async (view) => {
              await saveView(view, content);
              columns?.choice.revert();
            }}
            reset={() => {
              if (active === undefined) {
                columns?.choice.reset();
                views.openPlain();
              } else {
                columns?.choice.revert();
                views.open(active);
              }
            }}
            onDialog={setDialog}
            onDelete={(view) => {
              // The item disappears with the menu; the prompt returns the focus to what had it.
              button.current?.focus();
              askToDelete(view, views.openPlain);
            }}
          />
        </Menu.Dropdown>
      </Menu>
      <ViewDialog
        views={views}
        view={dialog}
        content={content}
        onClose={() => setDialog(null)}
        onClosed={() => button.current?.focus()}
        onSaved={(savedView) => {
          if (dialog !== 'new') return;
          columns?.choice.revert();
          views.open(savedView);
        }}
      />
    </>
  );
}

/** Views that fit into the menu without scrolling; above that, there is a search. */
const viewsAtAGlance = 8;

type ChoicesProps = { views: SavedViews; modified: boolean; onChoose: () => void };

/** The list without a view, own views and shared ones. */
function Choices({ views: { views, state, active, namedView, open, openPlain, reload }, modified, onChoose }: ChoicesProps) {
  const [search, setSearch] = useState('');
  const needle = comparableText(search.trim());
  const foundViews = views.filter(({ name, owner }) => [name, owner.name].some((text) => comparableText(text).includes(needle)));
  const own = foundViews.filter((view) => view.is_own);
  const sharedViews = foundViews.filter((view) => !view.is_own);
  const choose = (id: string): void => {
    const view = views.find((one) => String(one.id) === id);
    if (view === undefined) {
      openPlain();
      return;
    }
    // A view opens as it was saved, its columns too.
    onChoose();
    open(view);
  };
  const item = (view: SavedView) => <Choice key={view.id} view={view} isModified={modified && view === active} />;
  return (
    <Menu.RadioGroup value={active === undefined ? (typeof namedView === 'number' ? null : '') : String(active.id)} onChange={choose}>
      {views.length > viewsAtAGlance && (
        <TextInput
          className={classes['search'] ?? ''}
          size="xs"
          aria-label="Search views"
          placeholder="Name or owner"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div className={classes['views']}>
        {needle === '' && (
          <Menu.RadioItem value="" closeMenuOnClick>
            No view
          </Menu.RadioItem>
        )}
        {own.length > 0 && <Menu.Label>Your views</Menu.Label>}
        {own.map(item)}
        {sharedViews.length > 0 && <Menu.Label>Shared views</Menu.Label>}
        {sharedViews.map(item)}
        {needle !== '' && foundViews.length === 0 && <Menu.Label>No view has this text.</Menu.Label>}
        {state === 'loading' && <Menu.Label>Loading views</Menu.Label>}
        {state === 'failed' && (
          <>
            <Menu.Label role="alert">The views could not be loaded.</Menu.Label>
            <Menu.Item closeMenuOnClick={false} onClick={reload}>
              Try again
            </Menu.Item>
          </>
        )}
        {state === 'ready' && views.length === 0 && <Menu.Label>Save filters, sort and columns to open them again.</Menu.Label>}
      </div>
    </Menu.RadioGroup>
  );
}

function Choice({
  view: { id, name, owner, is_own: isOwn, is_default: isDefault, sharing },
  ...props
}: {
  view: SavedView;
  isModified: boolean;
}) {
  return (
    <Menu.RadioItem
      value={String(id)}
      closeMenuOnClick
      title={withMarks(name)}
      rightSection={
        <span className={classes['marks']}>
          {isOwn && sharing !== 'private' && <Mark icon={IconUsers} meaning="Shared" />}
          {isDefault && <Mark icon={IconStarFilled} meaning="Default" />}
        </span>
      }
    >
      <span className={classes['choice']}>
        <VisibleText text={name} />
      </span>
      {(props.isModified || !isOwn) && (
        <span className={classes['detail']}>
          {!isOwn && <VisibleText text={owner.name} />}
          {props.isModified && `${isOwn ? '' : ', '}modified`}
        </span>
      )}
    </Menu.RadioItem>
  );
}

function Mark({ icon: Icon, meaning }: { icon: TablerIcon; meaning: string }) {
  return (
    <span title={meaning}>
      <Icon size={14} aria-hidden />
      <VisuallyHidden>{meaning}</VisuallyHidden>
    </span>
  );
}

type ActionsProps = {
  views: SavedViews;
  isModified: boolean;
  isResettable: boolean;
  save: (view: SavedView) => Promise<void>;
  reset: () => void;
  onDialog: (view: SavedView | 'new') => void;
  onDelete: (view: SavedView) => void;
};

/** Actions on the open view, or without one. */
function Actions({ views, isModified: modified, isResettable, save, reset, onDialog, onDelete }: ActionsProps) {
  const { active, list } = views;
  const user = useSessionUser();
  const mayChange = active !== undefined && (active.is_own || user?.isSuperAdmin === true);
  return (
    <>
      {active !== undefined && modified && mayChange && (
        <Writes>
          <Menu.Item
            leftSection={<IconCheck size={14} aria-hidden />}
            onClick={() => void report(save(active), `View "${active.name}" saved`)}
          >
            Save changes
          </Menu.Item>
        </Writes>
      )}
      {(modified || isResettable) && (
        <Menu.Item leftSection={<IconX size={14} aria-hidden />} onClick={reset}>
          {modified ? 'Discard changes' : 'Reset filters, sort and columns'}
        </Menu.Item>
      )}
      <Writes>
        <Menu.Item leftSection={<IconPlus size={14} aria-hidden />} onClick={() => onDialog('new')}>
          Save as new view…
        </Menu.Item>
      </Writes>
      {active !== undefined && (
        <>
          {mayChange && (
            <Writes>
              <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => onDialog(active)}>
                Rename or share…
              </Menu.Item>
            </Writes>
          )}
          <Writes>
            <Menu.Item
              leftSection={<IconStarFilled size={14} aria-hidden />}
              onClick={() =>
                void (active.is_default
                  ? report(saveDefaultView(list, null), `The list no longer opens with view "${active.name}"`)
                  : report(saveDefaultView(list, active.id), `The list opens with view "${active.name}"`))
              }
            >
              {active.is_default ? 'Clear default' : 'Make default'}
            </Menu.Item>
          </Writes>
          {mayChange && (
            <Writes>
              <Menu.Item color="danger" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => onDelete(active)}>
                Delete view…
              </Menu.Item>
            </Writes>
          )}
        </>
      )}
    </>
  );
}

function askToDelete(view: SavedView, onDeleted: () => void): void {
  askConfirm({
    title: `Delete view ${view.name}?`,
    lines: [view.sharing === 'private' ? 'The rows of the list stay.' : 'It is shared: others lose it, too. The rows of the list stay.'],
    isDangerous: true,
    action: async () => {
      await report(dropView(view).then(onDeleted), `View "${view.name}" deleted`);
    },
  });
}

async function report(work: Promise<unknown>, doneMessage: string): Promise<void> {
  try {
    await work;
    notify({ type: 'success', message: doneMessage });
  } catch (error) {
    notify({ type: 'danger', message: viewFailure(error), closeOnClick: true });
  }
}
