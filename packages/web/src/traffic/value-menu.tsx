import { Menu, Popover } from '@mantine/core';
import { IconArrowUpRight, IconBan, IconCheck, IconCopy, IconFilter, IconFilterOff, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useLayoutEffect, useRef, useState, type ReactNode, type Ref, type RefObject } from 'react';
import { AppLink } from '../shared/navigation.tsx';
import { useSessionUser } from '../shared/session/use-session.ts';
import { useCopied } from '../shared/ui/copy.tsx';
import { timeSpans } from '../shared/ui/display-limits.ts';
import { useGridTabIndex } from '../shared/ui/grid-tab-index.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { isBannable, valueNouns, valuePage, type ValueKind } from './value-actions.ts';
import { useValueFilters } from './value-list.ts';
import classes from './value-menu.module.css';

const AsnBanDialog = lazy(() => import('./asn-ban-dialog.tsx'));

type Props = {
  kind: ValueKind;
  /** As filters and pages name it: an id, a uid, a code. */
  value: string;
  /** As the menu shows it; the value itself unless given. */
  text?: string;
  /** Meaning of the value. */
  meaning?: string;
  /** The text to copy; the value itself unless given. */
  copyText?: string;
  /** The pages that the value leads to in this list, in place of its own; read when the menu opens. */
  links?: () => readonly ValueLink[];
  /** As the row shows it; must not contain controls. */
  children: ReactNode;
};

/** A page in the menu of a value. A filter is a page, too, where a list has none for the value. */
export type ValueLink = { readonly label: string; readonly path: string; readonly isFilter?: boolean };

/**
 * A value in a row with a menu: filter for it, exclude it, open its page, copy it. The menu has what the list around it can
 * do and the reader may open. It is mounted only while it is open, because tables contain hundreds of values.
 */
export function ValueMenu({ children, ...subject }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isBanning, setBanning] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const tabIndex = useGridTabIndex();
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={classes['value']}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        tabIndex={tabIndex}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && <OpenMenu {...subject} trigger={trigger} onClose={() => setOpen(false)} onBan={() => setBanning(true)} />}
      {isBanning && (
        <Suspense>
          <AsnBanDialog code={Number(subject.value)} onClose={() => setBanning(false)} />
        </Suspense>
      )}
    </>
  );
}

type OpenProps = Omit<Props, 'children'> & { trigger: RefObject<HTMLButtonElement | null>; onClose: () => void; onBan: () => void };

function OpenMenu({ kind, value, text = value, meaning, copyText = value, links, trigger, onClose, onBan }: OpenProps) {
  const { only, not } = useValueFilters(kind, value);
  const permissions = useSessionUser()?.permissions ?? [];
  const page = valuePage(kind, value, permissions);
  const pages: readonly ValueLink[] = links?.() ?? (page === null ? [] : [page]);
  const noun = valueNouns[kind];
  const close = (): void => {
    trigger.current?.focus();
    onClose();
  };
  return (
    <Menu opened onClose={close} returnFocus={false} position="bottom-start" offset={4} shadow="md" transitionProps={{ duration: 100 }}>
      <Popover.Target>
        <Anchor of={trigger} />
      </Popover.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''} aria-labelledby={undefined} aria-label={`Actions on ${noun} ${text}`}>
        <Menu.Label className={classes['label'] ?? ''}>
          <span className={classes['text']}>
            <VisibleText text={text} />
          </span>
          {meaning !== undefined && <span className={classes['meaning']}>{meaning}</span>}
        </Menu.Label>
        {only !== undefined && (
          <Menu.Item leftSection={<IconFilter size={14} aria-hidden />} onClick={only}>
            Filter for this {noun}
          </Menu.Item>
        )}
        {not !== undefined && (
          <Menu.Item leftSection={<IconFilterOff size={14} aria-hidden />} onClick={not}>
            Exclude this {noun}
          </Menu.Item>
        )}
        {pages.map(({ label, path, isFilter = false }) => (
          <Menu.Item
            key={label}
            leftSection={isFilter ? <IconFilter size={14} aria-hidden /> : <IconArrowUpRight size={14} aria-hidden />}
            component={AppLink}
            href={path}
          >
            {label}
          </Menu.Item>
        ))}
        {isBannable(kind, value, permissions) && (
          <Menu.Item leftSection={<IconBan size={14} aria-hidden />} onClick={onBan}>
            Ban or free…
          </Menu.Item>
        )}
        <CopyItem text={copyText} noun={noun} onCopied={close} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Copies the value, and closes the menu after it has said so. */
function CopyItem({ text, noun, onCopied }: { text: string; noun: string; onCopied: () => void }) {
  const { state, copy } = useCopied(timeSpans.copyIcon, onCopied);
  const Picture = state === 'copied' ? IconCheck : state === 'failed' ? IconX : IconCopy;
  return (
    <Menu.Item leftSection={<Picture size={14} aria-hidden />} closeMenuOnClick={false} onClick={() => void copy(text)}>
      <span aria-live="polite">{state === 'copied' ? 'Copied' : state === 'failed' ? 'Not copied' : `Copy ${noun}`}</span>
    </Menu.Item>
  );
}

/** Makes an element that is there already the target of a popup. */
function Anchor({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref !== 'function') return undefined;
    ref(of.current);
    return () => void ref(null);
  }, [of, ref]);
  return null;
}
