import { Button, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { bulkRuleOf, type BulkActionName, type BulkChange } from '@switchyard/contract/bulk';
import { holdsAny } from '@switchyard/contract/permissions';
import { useState, type ComponentType } from 'react';
import { useSessionUser } from '../session/use-session.ts';
import { Popup } from '../ui/popup.tsx';
import { useReadOnly } from '../ui/read-only.tsx';

export type BulkFormProps = {
  /** The selected rows; with all that match, the exceptions. */
  keys: ReadonlySet<string>;
  onSubmit: (change: BulkChange) => void;
  onCancel: () => void;
};

/** An action on the selected rows: a change, or a form that asks for its parameters. */
export type BulkItem = { label: string } & ({ change: BulkChange } | { action: BulkActionName; Form: ComponentType<BulkFormProps> });

/** The action of an item. */
export function actionOf(item: BulkItem): BulkActionName {
  return 'change' in item ? item.change.action : item.action;
}

/** The actions that the account may take. */
export function useAllowedItems(items: readonly BulkItem[]): readonly BulkItem[] {
  const permissions = useSessionUser()?.permissions ?? [];
  return items.filter((item) => holdsAny(permissions, bulkRuleOf(actionOf(item)).needs));
}

type Props = { items: readonly BulkItem[]; keys: ReadonlySet<string>; onChoose: (item: BulkItem, change: BulkChange) => void };

/** The menu of actions on the selected rows; those with parameters ask for them first. */
export function BulkMenu({ items, keys, onChoose }: Props) {
  const readOnly = useReadOnly();
  // In a low window the dialog has to scroll.
  const isTall = useMediaQuery('(min-height: 640px)', false, { getInitialValueInEffect: false });
  const [asking, setAsking] = useState<Extract<BulkItem, { action: unknown }> | null>(null);
  return (
    <>
      <Menu position="bottom-start" shadow="md" transitionProps={{ duration: 120 }}>
        <Menu.Target>
          <Button size="compact-sm" disabled={readOnly !== null} title={readOnly ?? undefined}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map((item) => (
            <Menu.Item key={item.label} onClick={() => ('change' in item ? onChoose(item, item.change) : setAsking(item))}>
              {item.label}
              {'change' in item ? '' : '…'}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asking !== null && (
        <Popup isOpen onClose={() => setAsking(null)} title={asking.label} showsOverflow={isTall}>
          <asking.Form
            keys={keys}
            onCancel={() => setAsking(null)}
            onSubmit={(change) => {
              setAsking(null);
              onChoose(asking, change);
            }}
          />
        </Popup>
      )}
    </>
  );
}
