import { VisuallyHidden } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { HoverTooltip } from './hover-tooltip.tsx';

/** Marks a row that the reader may not change, with the reason in a tooltip. */
export function LockMark({ reason }: { reason: string }) {
  return (
    <HoverTooltip label={reason} isFocusable>
      <span style={{ display: 'inline-flex', color: 'var(--sy-dimmed)' }}>
        <IconLock size={14} stroke={1.7} aria-hidden />
        <VisuallyHidden>Read-only: {reason}</VisuallyHidden>
      </span>
    </HoverTooltip>
  );
}
