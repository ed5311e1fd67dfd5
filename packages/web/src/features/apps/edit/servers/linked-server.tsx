import { Badge, Button, Loader, VisuallyHidden } from '@mantine/core';
import { isRestartable, isSimulated, linkStatusTexts, linkTexts } from '@switchyard/contract/app-domains';
import type { CheckDomain } from '@switchyard/contract/apps';
import { cuts } from '@switchyard/contract/limits';
import { IconAlertTriangle, IconCheck, IconRefresh, IconUnlink } from '@tabler/icons-react';
import { BindIcon, SslIcon } from '../../../../shared/traffic/link-icons.tsx';
import { useDisplayDate } from '../../../../shared/time/server-time.ts';
import { CutLabel } from '../../../../shared/ui/cut-label.tsx';
import { HoverTooltip } from '../../../../shared/ui/hover-tooltip.tsx';
import classes from './servers.module.css';
import { useRowOfAction } from './use-row-of-action.ts';
import { withMarks } from '../../../../shared/ui/hidden-characters.ts';

type Props = {
  link: CheckDomain;
  ip: string | null;
  now: Date;
  /** Why nothing may be done with servers now; null when it may. */
  locked: string | null;
  /** Whether a call about this server is running. */
  isBusy: boolean;
  /** Whether the keyboard acted on this server last. */
  isActedOn: boolean;
  onRestart: () => void;
  onRemove: () => void;
};

/** A server that the app is linked to: how the link stands, and Restart and Remove (DOM-002 to DOM-004, DOM-007, DOM-012). */
export function LinkedServer({ link, ip, now, locked, isBusy, isActedOn, onRestart, onRemove }: Props) {
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
          <CutLabel text={link.server_name} to={cuts.serverName} />
          {link.is_only_cf && <Mark>{linkTexts.onlyCloudflare}</Mark>}
          {isSimulated(link) && (
            <HoverTooltip label={linkTexts.simulatedHint} isFocusable>
              <Mark>{linkTexts.simulated}</Mark>
            </HoverTooltip>
          )}
        </span>
        <span className={classes['facts']}>
          {ip !== null && <span className="mono">{ip}</span>}
          {link.registrar !== null && !isSimulated(link) && <span>{link.registrar}</span>}
        </span>
      </span>
      <LinkState link={link} />
      <span className={classes['actions']}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} stroke={1.8} aria-hidden />}
          disabled={!canRestart || locked !== null || isBusy}
          title={locked ?? (canRestart ? undefined : linkTexts.stillRunning)}
          aria-label={`${linkTexts.restart} ${withMarks(link.server_name)}`}
          onClick={onRestart}
        >
          {linkTexts.restart}
        </Button>
        <Button
          variant="subtle"
          color="danger"
          leftSection={<IconUnlink size={15} stroke={1.8} aria-hidden />}
          disabled={locked !== null || isBusy}
          title={locked ?? undefined}
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
    <Badge size="xs" radius="sm" variant="outline" color="neutral" tt="none">
      {children}
    </Badge>
  );
}

/** The state in words, told to assistive technology as it changes; an error's own text stands in a warning tooltip (DOM-012). */
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
