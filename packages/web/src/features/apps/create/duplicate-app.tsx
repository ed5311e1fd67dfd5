import { appLabels } from '@switchyard/contract/app-form-texts';
import { Button, Checkbox, Stack } from '@mantine/core';
import type { FullApp } from '@switchyard/contract/app-form';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { Popup } from '../../../shared/ui/popup.tsx';
import { copyableParts, type CopyablePart } from './copy-app.ts';

/** Opens the form of a new app with chosen parts of this one; for accounts that may create apps. */
export function DuplicateApp({ app: { id, name } }: { app: Pick<FullApp, 'id' | 'name'> }) {
  const mayCreate = useHoldsAny('manager_app_create');
  const [isOpen, setOpen] = useState(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button size="compact-md" variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Duplicate
      </Button>
      <Popup isOpen={isOpen} onClose={() => setOpen(false)} title={`Duplicate ${name}`} width={520}>
        <PartsForm id={id} onClose={() => setOpen(false)} />
      </Popup>
    </>
  );
}

function PartsForm({ id, onClose }: { id: number; onClose: () => void }) {
  const openPath = useOpenPath();
  const [parts, setParts] = useState<ReadonlySet<CopyablePart>>(new Set(copyableParts));
  const toggle = (part: CopyablePart): void => {
    const next = new Set(parts);
    if (!next.delete(part)) next.add(part);
    setParts(next);
  };
  return (
    <DialogForm
      isLocal
      submitLabel="Continue"
      isEnabled
      focusesSubmit
      onSubmit={() => {
        onClose();
        openPath(paths.appCreate({ id, parts: copyableParts.filter((part) => parts.has(part)) }));
      }}
      onCancel={onClose}
    >
      <p className="note">
        Name, bundle, domain, the API secret and the push file are never copied. Nothing is saved before you create the app.
      </p>
      <fieldset aria-label="What to copy">
        <Stack gap="xs">
          {copyableParts.map((part) => (
            <Checkbox key={part} label={appLabels[part]} checked={parts.has(part)} onChange={() => toggle(part)} />
          ))}
        </Stack>
      </fieldset>
    </DialogForm>
  );
}
