import { Badge, Button } from '@mantine/core';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { deviceName, isHandheld } from '../../shared/devices/device-name.ts';
import classes from './own-sessions.module.css';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

/** One session: device, address, its three dates, and how to end it. */
export function OwnSessionCard({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const displayDate = useDisplayDate();
  const device = deviceName(session.user_agent);
  const DeviceIcon = isHandheld(session.user_agent) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes['card']} data-current={session.current || undefined}>
      <span className={classes['icon']}>
        <DeviceIcon size={20} stroke={1.6} aria-hidden />
      </span>
      <div className={classes['device']}>
        <span className={classes['name']}>
          {device}
          {session.current && (
            <Badge size="sm" radius="sm" variant="light" color="success" tt="none">
              This session
            </Badge>
          )}
        </span>
        <span className={classes['agent']} title={session.user_agent === null ? undefined : withMarks(session.user_agent)}>
          <VisibleText text={session.user_agent ?? 'The device gave no user agent'} />
        </span>
      </div>
      <dl className={classes['facts']}>
        <Fact name="IP" value={session.ip ?? '-'} isMono />
        <Fact name="Created" value={displayDate(session.created_at)} />
        <Fact name="Last used" value={displayDate(session.last_used_at)} />
        <Fact name="Expires" value={displayDate(session.expires_at)} />
      </dl>
      <Button
        className={classes['end'] ?? ''}
        variant="default"
        onClick={onEnd}
        aria-label={session.current ? 'End this session and sign out' : `End session on ${device}, ${session.ip ?? 'address unknown'}`}
      >
        {session.current ? 'Sign out' : 'End session'}
      </Button>
    </li>
  );
}

function Fact({ name, value, isMono = false }: { name: string; value: string; isMono?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isMono ? 'mono' : 'tabular'}>{value}</dd>
    </div>
  );
}
