import type { Permission } from '@switchyard/contract/permissions';
import type { Icon } from '@tabler/icons-react';
import type { ComponentProps, MouseEvent } from 'react';
import { RowLink } from '../navigation.tsx';
import { useNeededPermission } from '../session/needed-permission.ts';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';
import { plainClasses } from '../ui/plain-buttons.ts';
import { Writes } from '../ui/read-only.tsx';

type Props = {
  icon: Icon;
  /** Name for assistive technology. */
  label: string;
  /** Tooltip; the label unless given. */
  title?: string;
  color?: 'neutral' | 'accent' | 'success' | 'danger';
  isDisabled?: boolean;
  /** The permission without which it is disabled; its tooltip names it to readers who manage roles. */
  needs?: Permission;
} & ({ href: string } | { onClick: (event: MouseEvent) => void; /** It only shows something. */ isReading?: boolean });

/** A button or link in a row of a list, shown as an icon. */
export function RowAction({ icon: Picture, label, title = label, color = 'neutral', isDisabled = false, needs, ...target }: Props) {
  const tabIndex = useGridTabIndex();
  const sharedProps = {
    'aria-label': label,
    title,
    children: <Picture size={16} stroke={1.7} aria-hidden />,
    ...(tabIndex !== undefined && { tabIndex }),
  } as const;
  const look = { className: plainClasses.icon, 'data-tone': color === 'neutral' ? undefined : color } as const;
  if (isDisabled) {
    return needs === undefined ? (
      <button type="button" {...sharedProps} {...look} disabled />
    ) : (
      <LackingAction {...sharedProps} {...look} needs={needs} />
    );
  }
  if ('href' in target) return <RowLink {...sharedProps} {...look} href={target.href} />;
  const button = <button type="button" {...sharedProps} {...look} onClick={target.onClick} />;
  return target.isReading === true ? button : <Writes>{button}</Writes>;
}

/** An action that the reader may not use for lack of a permission. */
function LackingAction({ needs, title, ...props }: ComponentProps<'button'> & { needs: Permission; title: string }) {
  const needed = useNeededPermission(needs);
  return <button type="button" {...props} title={needed === '' ? title : `${title}. ${needed}`} disabled />;
}
