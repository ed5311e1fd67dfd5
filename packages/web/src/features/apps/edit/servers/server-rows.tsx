import { Badge, Button, Loader, Switch, VisuallyHidden } from '@mantine/core';
import { isRestartable, isSimulated, linkStatusTexts, linkTexts } from '@switchyard/contract/app-domains';
import type { CheckDomain } from '@switchyard/contract/apps';
import type { PickedServer } from '@switchyard/contract/pick-lists';
import { IconAlertTriangle, IconCheck, IconPlus, IconRefresh, IconUnlink } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useSettings } from '../../../../shared/settings.ts';
import { useDisplayDate } from '../../../../shared/time/server-time.ts';
import { CutLabel } from '../../../../shared/ui/cut-label.tsx';
import { textLengths } from '../../../../shared/ui/display-limits.ts';
import { withMarks } from '../../../../shared/ui/hidden-characters.ts';
import { HoverTooltip } from '../../../../shared/ui/hover-tooltip.tsx';
import { BindIcon, SslIcon } from '../../link-icons.tsx';
import classes from './servers.module.css';

type RowProps = {
  /** Why servers cannot be changed now; null if they can. */
  lockReason: string | null;
  /** Whether a call about this server is running. */
  isBusy: boolean;
  /** Whether this server is the last one that was changed with the keyboard. */
  isActedOn: boolean;
};

/**
 * Focuses the row of a server when its buttons lose the focus: they are disabled while a call runs, and Create and Remove
 * disappear with the group that the server leaves. A focus elsewhere is kept.
 */
function useRowOfAction({ isActedOn, isBusy }: { isActedOn: boolean; isBusy: boolean }): RefObject<HTMLLIElement | null> {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    if (isActedOn && !isBusy && (activeElement === body || activeElement?.matches(':disabled') === true)) row.current?.focus();
  }, [isActedOn, isBusy]);
  return row;
}

type LinkedProps = RowProps & {
  link: CheckDomain;
  ip: string | null;
  now: Date;
  onRestart: () => void;
  onRemove: () => void;
};

/** A linked server: the state of its link, and the buttons Restart and Remove. */
export function LinkedServer({ link, ip, now, lockReason, isBusy, isActedOn, onRestart, onRemove }: LinkedProps) {
  const canRestart = isRestartable(link);
  const row = useRowOfAction({ isActedOn, isBusy });
  return (
    <li ref={row} tabIndex={-1} className={classes['row']} data-status={link.status}>
      <span className={classes['icons']}>
        <SslIcon link={link} now={now} />
        <BindIcon link={link} />
      </span>
      <span className={classes['server']}>
        <span className={classes['name']}>
          <CutLabel text={link.server_name} to={textLengths.serverName} />
          {link.is_only_cf && <Mark>{linkTexts.onlyCloudflare}</Mark>}
          {isSimulated(link) && (
            <HoverTooltip label={linkTexts.simulatedHint} isFocusable>
              <Mark>{linkTexts.simulated}</Mark>
            </HoverTooltip>
          )}
        </span>
        <span className={classes['facts']}>
          {ip !== null && <span className="mono">{ip}</span>}
          {link.registrar !== null && !isSimulated(link) && <CutLabel text={link.registrar} to={textLengths.serverName} />}
        </span>
      </span>
      <LinkState link={link} />
      <span className={classes['actions']}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} stroke={1.8} aria-hidden />}
          disabled={!canRestart || lockReason !== null || isBusy}
          title={lockReason ?? (canRestart ? undefined : linkTexts.stillRunning)}
          aria-label={`${linkTexts.restart} ${withMarks(link.server_name)}`}
          onClick={onRestart}
        >
          {linkTexts.restart}
        </Button>
        <Button
          variant="subtle"
          color="danger"
          leftSection={<IconUnlink size={15} stroke={1.8} aria-hidden />}
          disabled={lockReason !== null || isBusy}
          title={lockReason ?? undefined}
          aria-label={`${linkTexts.remove} ${withMarks(link.server_name)}`}
          onClick={onRemove}
        >
          {linkTexts.remove}
        </Button>
      </span>
    </li>
  );
}

function Mark({ children }: { children: string }) {
  return (
    <Badge size="xs" variant="outline" color="neutral">
      {children}
    </Badge>
  );
}

/** The state in words, announced by assistive technology when it changes; the text of an error is in a warning tooltip. */
function LinkState({ link }: { link: CheckDomain }) {
  const displayDate = useDisplayDate();
  const isRunning = !isRestartable(link);
  return (
    <output className={classes['state']} data-status={link.status} aria-live="polite">
      {isRunning && <Loader size={14} aria-hidden />}
      {link.status === 'ok' && <IconCheck className={classes['ok']} size={16} stroke={2} aria-hidden />}
      {link.error !== null && (
        <HoverTooltip label={link.error} isFocusable className={classes['warning'] ?? ''}>
          <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
          <VisuallyHidden>{`Error: ${link.error}`}</VisuallyHidden>
        </HoverTooltip>
      )}
      <span>
        {linkStatusTexts[link.status]}
        {link.error !== null && isRunning && link.next_stage_at !== null && (
          <span className={classes['next']}>Next try {displayDate(link.next_stage_at)}</span>
        )}
      </span>
    </output>
  );
}

type UnlinkedProps = RowProps & { server: PickedServer; onCreate: (isOnlyCF: boolean) => void };

/** The link of a server that is not linked yet. */
function notAdded(server: PickedServer): CheckDomain {
  return {
    id: 0,
    server_id: server.id,
    server_name: server.name,
    is_bind: false,
    ssl_at: null,
    registrar: null,
    is_only_cf: false,
    status: 'add',
    error: null,
    next_stage_at: null,
  };
}

/** An unlinked server with the button Create; the Cloudflare switch is shown unless the deployment hides it. */
export function UnlinkedServer({ server, lockReason, isBusy, isActedOn, onCreate }: UnlinkedProps) {
  const { hideOnlyCf } = useSettings();
  const [isOnlyCF, setIsOnlyCF] = useState(false);
  const row = useRowOfAction({ isActedOn, isBusy });
  return (
    <li ref={row} tabIndex={-1} className={classes['row']}>
      <span className={classes['icons']}>
        <BindIcon link={notAdded(server)} />
      </span>
      <span className={classes['server']}>
        <span className={classes['name']}>
          <CutLabel text={server.name} to={textLengths.serverName} />
        </span>
        <span className={classes['facts']}>{server.ip !== null && <span className="mono">{server.ip}</span>}</span>
      </span>
      <span className={classes['state']}>
        {!hideOnlyCf && (
          <Switch
            size="sm"
            label={linkTexts.onlyCloudflare}
            aria-label={`${linkTexts.onlyCloudflare}: ${withMarks(server.name)}`}
            checked={isOnlyCF}
            disabled={lockReason !== null}
            onChange={(event) => setIsOnlyCF(event.currentTarget.checked)}
          />
        )}
      </span>
      <span className={classes['actions']}>
        <Button
          variant="light"
          leftSection={<IconPlus size={15} stroke={1.8} aria-hidden />}
          disabled={lockReason !== null || isBusy}
          title={lockReason ?? undefined}
          aria-label={`${linkTexts.create} ${withMarks(server.name)}`}
          onClick={() => onCreate(!hideOnlyCf && isOnlyCF)}
        >
          {linkTexts.create}
        </Button>
      </span>
    </li>
  );
}
