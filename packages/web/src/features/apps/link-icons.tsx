import type { CheckDomain } from '@switchyard/contract/apps';
import { IconLink, IconLinkOff, IconLinkPlus, IconLock, IconLockExclamation, IconLockOff, type Icon } from '@tabler/icons-react';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import { bindTone, sslTone, type BindTone, type ExpiryTone } from './link-tones.ts';
import classes from './link-icons.module.css';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

const sslIcons: Record<ExpiryTone, Icon> = { success: IconLock, warning: IconLockExclamation, danger: IconLockOff };
const sslWords: Record<ExpiryTone, string> = { success: 'valid until', warning: 'expires on', danger: 'expired on' };
const bindIcons: Record<BindTone, Icon> = { success: IconLink, danger: IconLinkOff, info: IconLinkPlus };
const bindWords: Record<BindTone, string> = {
  success: 'domain bound',
  danger: 'domain not bound',
  info: 'server not added yet',
};

type Props = { link: CheckDomain; now: Date };

/** State of the certificate that a traffic server has for an app's domain. */
export function SslIcon({ link, now }: Props) {
  const displayDate = useDisplayDate();
  const tone = sslTone(link.ssl_at, now);
  const state = link.ssl_at === null ? 'none' : `${sslWords[tone]} ${displayDate(link.ssl_at)}`;
  return <ToneIcon icon={sslIcons[tone]} tone={tone} kind="ssl" label={`${link.server_name}: certificate ${state}`} />;
}

/** Whether an app's domain is bound to a traffic server. */
export function BindIcon({ link }: Pick<Props, 'link'>) {
  const tone = bindTone(link);
  const problem = link.error === null ? '' : ` (${link.error})`;
  return <ToneIcon icon={bindIcons[tone]} tone={tone} kind="bind" label={`${link.server_name}: ${bindWords[tone]}${problem}`} />;
}

type ToneIconProps = { icon: Icon; tone: BindTone | ExpiryTone; kind: string; label: string };

function ToneIcon({ icon: Picture, tone, kind, label }: ToneIconProps) {
  return (
    <HoverTooltip
      label={label}
      isFocusable
      className={classes['tone'] ?? ''}
      attributes={{ 'data-tone': tone, 'data-icon': kind, role: 'img', 'aria-label': withMarks(label) }}
    >
      <Picture size={15} stroke={1.8} aria-hidden />
    </HoverTooltip>
  );
}
