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
import { useSessionUser } from '../../shared/session/use-session.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { useRequestDetails } from '../../traffic/use-open-request.ts';
import type { GoTarget } from '../menu.ts';
import { routeTable } from '../route-table.ts';
import { isPaletteOpen, isShortcutHelpOpen, paletteText } from '../shortcuts/use-shortcuts.ts';
import {
  inPaletteOrder,
  subjectItems,
  matchingItems,
  noteRecent,
  requestIdOf,
  requestItems,
  recentItems,
  toPaletteItem,
  wholeListItems,
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

function PaletteContent(props: Props) {
  const text = useStore(paletteText);
  const searchText = text.trim();
  const openPath = useOpenPath();
  const { items, isFetching, isError, isApproximate } = usePaletteItems(searchText, props);

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
  const itemKeys = items.map((item) => `${item.group} ${item.label}`).join('\n');
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption());
  useEffect(() => {
    if (itemKeys !== '') selectFirst();
  }, [itemKeys]);
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
          rightSection={isFetching ? <Loader size={16} aria-label="Searching" /> : null}
          value={text}
          onChange={(event) => paletteText.set(event.currentTarget.value)}
          // The list takes Escape for its own, and it never closes.
          onKeyDown={(event) => event.key === 'Escape' && close()}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes['items'] ?? ''} aria-label="Results">
        <ItemGroups items={items} />
        {items.length === 0 && !isFetching && !isError && <Combobox.Empty>Nothing found</Combobox.Empty>}
        {isError && <Combobox.Empty>The search failed. Type again to repeat it.</Combobox.Empty>}
      </Combobox.Options>
      <p className={classes['note']} aria-live="polite">
        {isApproximate && searchText !== '' ? 'No exact match. These are similar.' : ''}
      </p>
    </Combobox>
  );
}

function ItemGroups({ items }: { items: readonly PaletteItem[] }) {
  return [...new Set(items.map(({ group }) => group))].map((group) => (
    <Combobox.Group key={group} label={group}>
      {items
        .filter((item) => item.group === group)
        .map((item) => (
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
  ));
}

/** Recent items, pages and actions; with a text those that match it, and the results of the server. */
function usePaletteItems(typedText: string, { pages, mayOpen, onSignOut }: Props) {
  const actions = useActions(mayOpen, onSignOut);
  const { data, isFetching, isError, isSettled } = useServerSearch(typedText);
  const isApproximate = data?.is_approximate === true;
  const foundItems = data?.items ?? [];
  const namedItems = [
    ...foundItems.flatMap((item) => toPaletteItem(item, mayOpen) ?? []),
    ...(isApproximate ? [] : wholeListItems(foundItems, typedText, mayOpen)),
  ];
  const own: PaletteItem[] = [...pages.map(({ label, href }) => ({ group: 'Pages' as const, label, href })), ...actions];
  const requests = requestItems(typedText, useRequestById(typedText, mayOpen), mayOpen);
  const matches = matchingItems(own, typedText);
  const isNothingElse = isSettled && matches.length + namedItems.length + requests.length === 0;
  const subjects = subjectItems(typedText, mayOpen, isNothingElse);
  const items =
    typedText === ''
      ? [...recentItems(mayOpen), ...own]
      : inPaletteOrder(typedText, { own: matches, namedItems, isApproximate, requests, subjects });
  return { items, isFetching, isError, isApproximate };
}

/** Results of the server for a text, once typing pauses; earlier results stay until the next are there. */
function useServerSearch(typedText: string) {
  const [text] = useDebouncedValue(typedText, typingPause);
  const searchQuery = useQuery({
    queryKey: ['search', text],
    queryFn: ({ signal }) => call(searchConsole, { query: { q: text.slice(0, longestSearch) }, signal, isSilent: true }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (typedText === '') return { data: undefined, isFetching: false, isError: false, isSettled: true };
  const { isFetching, isError } = searchQuery;
  return { data: searchQuery.data?.data, isFetching, isError, isSettled: text === typedText && !isFetching && !isError };
}

/** The request whose id a text is, if the account may see requests. */
function useRequestById(typedText: string, mayOpen: (path: string) => boolean): RequestRow | undefined {
  const id = mayOpen(paths.client('uid')) ? requestIdOf(typedText) : null;
  const [pausedId] = useDebouncedValue(id, typingPause);
  return useRequestDetails(pausedId === id ? id : null).details;
}

function useActions(mayOpen: (path: string) => boolean, onSignOut: () => void): PaletteItem[] {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const permissions = useSessionUser()?.permissions ?? [];
  const pages = [
    ...routeTable.flatMap(({ isAction, neededToComplete = [], title, path }) =>
      isAction === true && neededToComplete.every((permission) => permissions.includes(permission)) ? [{ label: title, href: path }] : [],
    ),
    { label: 'Add IPs to the black list', href: paths.blackIpsAdd() },
  ];
  const run = [
    { label: isDark ? 'Switch to light theme' : 'Switch to dark theme', run: () => setColorScheme(isDark ? 'light' : 'dark') },
    { label: 'Show keyboard shortcuts', run: () => isShortcutHelpOpen.set(true) },
    { label: 'Sign out', run: onSignOut },
  ];
  return [...pages.filter(({ href }) => mayOpen(href)), ...run].map((action) => ({ group: 'Actions', ...action }));
}
