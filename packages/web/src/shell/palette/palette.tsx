import { Combobox, Loader, Modal, TextInput, useCombobox, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { clientUidCharacters } from '@switchyard/contract/limits';
import type { RequestRow } from '@switchyard/contract/requests';
import { longestSearch, searchConsole } from '@switchyard/contract/search';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../../shared/api/call.ts';
import { useStore } from '../../shared/external-store.ts';
import { useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { useRequestDetails } from '../../traffic/use-open-request.ts';
import type { GoTarget } from '../menu.ts';
import { routeTable } from '../route-table.ts';
import { isPaletteOpen, isShortcutHelpOpen, paletteText } from '../shortcuts/use-shortcuts.ts';
import {
  inPaletteOrder,
  investigationItems,
  matchingItems,
  noteRecent,
  requestIdOf,
  requestItems,
  recentItems,
  toPaletteItem,
  type PaletteItem,
} from './palette-items.ts';
import classes from './palette.module.css';

type Props = {
  pages: readonly GoTarget[];
  mayOpen: (path: string) => boolean;
  onSignOut: () => void;
};

/** Milliseconds without a key press after which the server is asked. */
const typingPause = 120;

const close = (): void => isPaletteOpen.set(false);

/** Finds and opens pages, apps, accounts and more by a part of their name, and runs actions. Opened by Ctrl+K or ⌘K. */
export function Palette(props: Props) {
  const isOpen = useStore(isPaletteOpen);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      withCloseButton={false}
      size={620}
      padding={0}
      centered={false}
      yOffset="10dvh"
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      transitionProps={{ duration: 120 }}
      overlayProps={{ color: 'var(--sy-backdrop)', backgroundOpacity: 1 }}
    >
      <PaletteContent {...props} />
    </Modal>
  );
}

function PaletteContent({ pages, mayOpen, onSignOut }: Props) {
  const text = useStore(paletteText);
  const typed = text.trim();
  const openPath = useOpenPath();
  const actions = useActions(mayOpen, onSignOut);
  const found = useFound(typed);
  const fromServer = (found.data?.items ?? []).flatMap((item) => toPaletteItem(item, mayOpen) ?? []);
  const own: PaletteItem[] = pages.map(({ label, href }) => ({ group: 'Pages', label, href }));
  const requests = requestItems(typed, useFoundRequest(typed, mayOpen), mayOpen);
  const matches = matchingItems([...own, ...actions], typed);
  const isNothingElse = found.isSettled && matches.length + fromServer.length + requests.length === 0;
  const items =
    typed === ''
      ? [...recentItems(mayOpen), ...own, ...actions]
      : inPaletteOrder(typed, {
          own: matches,
          named: fromServer,
          isApproximate: found.data?.is_approximate === true,
          requests,
          investigation: investigationItems(typed, mayOpen, isNothingElse),
        });

  function choose(item: PaletteItem): void {
    close();
    if ('run' in item) {
      item.run();
      return;
    }
    noteRecent(item);
    openPath(item.href);
  }

  const combobox = useCombobox({ opened: true });
  // The first item is what Enter opens, whenever the items change.
  const shown = items.map((item) => `${item.group} ${item.label}`).join('\n');
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption());
  useEffect(() => {
    if (shown !== '') selectFirst();
  }, [shown]);
  const groups = [...new Set(items.map(({ group }) => group))].map((group) => ({
    group,
    items: items.filter((item) => item.group === group),
  }));
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        const item = items[Number(key)];
        if (item !== undefined) choose(item);
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          className={classes['search'] ?? ''}
          variant="unstyled"
          size="md"
          aria-label="Search apps, accounts, pages and actions"
          placeholder="Search apps, accounts, pages and actions"
          maxLength={clientUidCharacters}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={found.isFetching ? <Loader size={16} aria-label="Searching" /> : null}
          value={text}
          onChange={(event) => paletteText.set(event.currentTarget.value)}
          // The list takes Escape for its own, and it never closes.
          onKeyDown={(event) => event.key === 'Escape' && close()}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes['items'] ?? ''} aria-label="Results">
        {groups.map(({ group, items: ofGroup }) => (
          <Combobox.Group key={group} label={group}>
            {ofGroup.map((item) => (
              <Combobox.Option key={`${group} ${'href' in item ? item.href : item.label}`} value={String(items.indexOf(item))}>
                <span className={classes['label']}>
                  <VisibleText text={item.label} />
                </span>
                {item.detail !== undefined && (
                  <span className={classes['detail']}>
                    <VisibleText text={item.detail} />
                  </span>
                )}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {items.length === 0 && !found.isFetching && !found.isError && <Combobox.Empty>Nothing found</Combobox.Empty>}
        {found.isError && <Combobox.Empty>The search failed. Type again to repeat it.</Combobox.Empty>}
      </Combobox.Options>
      <p className={classes['note']} aria-live="polite">
        {found.data?.is_approximate === true && typed !== '' ? 'No exact match. These are similar.' : ''}
      </p>
    </Combobox>
  );
}

/** What the server finds for a text, once typing pauses; earlier results stay until the next are there. */
function useFound(typed: string) {
  const [text] = useDebouncedValue(typed, typingPause);
  const found = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => call(searchConsole, { query: { q: text.slice(0, longestSearch) }, signal, isSilent: true }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (typed === '') return { data: undefined, isFetching: false, isError: false, isSettled: true };
  const { isFetching, isError } = found;
  return { data: found.data?.data, isFetching, isError, isSettled: text === typed && !isFetching && !isError };
}

/** The request whose id a text is, if the account may see requests. */
function useFoundRequest(typed: string, mayOpen: (path: string) => boolean): RequestRow | undefined {
  const id = mayOpen(paths.client('uid')) ? requestIdOf(typed) : null;
  const [paused] = useDebouncedValue(id, typingPause);
  return useRequestDetails(paused === id ? id : null).details;
}

function useActions(mayOpen: (path: string) => boolean, onSignOut: () => void): PaletteItem[] {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const pages = [
    ...routeTable.flatMap(({ isAction, title, path }) => (isAction === true ? [{ label: title, href: path }] : [])),
    { label: 'Add IPs to the black list', href: paths.blackIpsAdd() },
  ];
  const run = [
    { label: isDark ? 'Switch to light theme' : 'Switch to dark theme', run: () => setColorScheme(isDark ? 'light' : 'dark') },
    { label: 'Show keyboard shortcuts', run: () => isShortcutHelpOpen.set(true) },
    { label: 'Sign out', run: onSignOut },
  ];
  return [...pages.filter(({ href }) => mayOpen(href)), ...run].map((action) => ({ group: 'Actions', ...action }));
}
