import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { AppLink } from '../navigation.tsx';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';

type Props = {
  icon: Icon;
  /** Name for assistive technology. */
  label: string;
  /** Tooltip; the label unless given. */
  title?: string;
  color?: 'neutral' | 'accent' | 'success' | 'danger';
  isDisabled?: boolean;
} & ({ href: string } | { onClick: (event: MouseEvent) => void });

/** A button or link in a row of a list, shown as an icon. */
export function RowAction({ icon: Picture, label, title = label, color = 'neutral', isDisabled = false, ...target }: Props) {
  const tabIndex = useGridTabIndex();
  const sharedProps = {
    variant: 'subtle',
    size: 'md',
    color,
    'aria-label': label,
    title,
    children: <Picture size={16} stroke={1.7} aria-hidden />,
    ...(tabIndex !== undefined && { tabIndex }),
  } as const;
  if (isDisabled) return <ActionIcon {...sharedProps} disabled />;
  return 'href' in target ? (
    <ActionIcon {...sharedProps} component={AppLink} href={target.href} />
  ) : (
    <ActionIcon {...sharedProps} {...target} />
  );
}
