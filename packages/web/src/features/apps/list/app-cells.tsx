import { Badge } from '@mantine/core';
import { shownDomain } from '@switchyard/contract/host-name';
import type { AppRow } from '@switchyard/contract/apps';
import { IconAlertCircle, IconAlertTriangle, IconRobot } from '@tabler/icons-react';
import { RowLink } from '../../../shared/navigation.tsx';
import { BindIcon, SslIcon } from '../link-icons.tsx';
import { domainTone } from '../link-tones.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { cutText } from '../../../shared/ui/text-format.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { HoverTooltip } from '../../../shared/ui/hover-tooltip.tsx';
import { MarkedText } from '../../../shared/ui/marked-text.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import classes from './app-cells.module.css';
import { textLengths } from '../../../shared/ui/display-limits.ts';

/** Name of an app, cut at 28 characters, which leads to the app, and whether it is archived. */
export function NameCell({ app, href }: { app: AppRow; href: string | null }) {
  const name = cutText(app.name, textLengths.appName);
  const content = <VisibleText text={name} />;
  const text =
    href === null ? (
      content
    ) : (
      <RowLink href={href} className="name-link">
        {content}
      </RowLink>
    );
  return (
    <span className={classes['line']}>
      <span className={classes['name']}>
        {name === app.name ? (
          text
        ) : (
          <HoverTooltip label={<VisibleText text={app.name} />} isFocusable={href === null}>
            {text}
          </HoverTooltip>
        )}
      </span>
      {app.deleted_at !== null && (
        <Badge className={classes['badge'] ?? ''} size="xs" variant="outline" color="warning">
          Archived
        </Badge>
      )}
    </span>
  );
}

/** Bundle of an app, with the state of its monitoring bot when there is one. */
export function BundleCell({ app }: { app: AppRow }) {
  const { monitoring } = app;
  return (
    <MarkedText text={app.bundle}>
      {monitoring !== null && (
        <HoverTooltip
          label={`${monitoring.app_name}: ${monitoring.status}`}
          isFocusable
          className={classes['bot'] ?? ''}
          attributes={{
            'data-status': monitoring.status === 'ok' ? 'ok' : 'other',
            role: 'img',
            'aria-label': withMarks(`Bot ${monitoring.app_name}: ${monitoring.status}`),
          }}
        >
          <IconRobot size={16} stroke={1.7} aria-hidden />
        </HoverTooltip>
      )}
    </MarkedText>
  );
}

const expiryWords = { success: 'Paid until', warning: 'Expires on', danger: 'Expired on' } as const;

/** Domain of an app in the colour of its expiry, with certificate and binding of each link. */
export function DomainCell({ app, now }: { app: AppRow; now: Date }) {
  const displayDate = useDisplayDate();
  const tone = domainTone(app.expiration_at, now);
  const expiry = app.expiration_at === null ? 'No expiry date is known' : `${expiryWords[tone]} ${displayDate(app.expiration_at)}`;
  return (
    <span className={`${classes['line'] ?? ''} ${classes['domainLine'] ?? ''}`} data-stacked={app.check_domains.length > 2 || undefined}>
      <HoverTooltip
        label={`${shownDomain(app.domain)}: ${expiry}`}
        isFocusable
        className={classes['domain'] ?? ''}
        attributes={{ 'data-tone': tone }}
      >
        {tone === 'warning' && <IconAlertTriangle size={14} aria-hidden />}
        {tone === 'danger' && <IconAlertCircle size={14} aria-hidden />}
        <span className={classes['text']}>
          <VisibleText text={shownDomain(app.domain)} />
        </span>
      </HoverTooltip>
      <span className={classes['links']}>
        {app.check_domains.map((link) => (
          <span key={link.id} className={classes['link']}>
            <SslIcon link={link} now={now} />
            <BindIcon link={link} />
          </span>
        ))}
      </span>
    </span>
  );
}
