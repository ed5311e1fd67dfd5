import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { SavedViews } from './use-saved-views.ts';
import { leftOut, type ViewedColumns } from './view-state.ts';

/** Says that the view of the address cannot be opened, or what of it the list does not have. */
export function ViewNotice({ views, columns }: { views: SavedViews; columns?: ViewedColumns | undefined }) {
  const { active, isMissing, openPlain } = views;
  const [dismissedId, setDismissed] = useState<number | null>(null);
  if (isMissing) {
    return (
      <Notice title="This view does not exist, or is not shared with you" action="Open without a view" onAction={openPlain}>
        The list shows the filters of the address.
      </Notice>
    );
  }
  const parts = active === undefined || active.id === dismissedId ? [] : leftOut(views, active, columns);
  if (active === undefined || parts.length === 0) return null;
  return (
    <Notice title="Parts of this view were left out" action="Dismiss" onAction={() => setDismissed(active.id)}>
      The list does not have <VisibleText text={shorten(parts)} />. Everything else of the view applies.
    </Notice>
  );
}

/** Parts that are named, and characters of each; a view may hold thousands. */
const limits = { parts: 8, characters: 80 };

/** Names in a sentence, as many as are readable. */
export function shorten(parts: readonly string[]): string {
  const knownParts = parts
    .slice(0, limits.parts)
    .map((part) => (part.length > limits.characters ? `${part.slice(0, limits.characters)}…` : part));
  return parts.length > limits.parts ? `${knownParts.join(', ')} and ${parts.length - limits.parts} more` : knownParts.join(', ');
}

type NoticeProps = { title: string; action: string; onAction: () => void; children: ReactNode };

/** A warning about the address of a list, with what can be done. */
export function Notice({ title, action, onAction, children }: NoticeProps) {
  return (
    <Alert color="warning" variant="light" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
      <Group justify="space-between" gap={8}>
        <span style={{ overflowWrap: 'anywhere', flex: '1 1 240px' }}>{children}</span>
        <Button size="xs" variant="default" onClick={onAction}>
          {action}
        </Button>
      </Group>
    </Alert>
  );
}
