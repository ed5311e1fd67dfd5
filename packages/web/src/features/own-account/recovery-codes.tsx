import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useSettings } from '../../shared/settings.ts';
import { CopyButton } from '../../shared/ui/copy.tsx';
import { Popup } from '../../shared/ui/popup.tsx';
import classes from './second-factors.module.css';

const ignore = (): void => undefined;

/** Recovery codes, which are shown once: to copy or download. `onDone` comes after the reader says that they are stored. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  const { productName } = useSettings();
  const user = useSessionUser();
  const text = `${codes.join('\n')}\n`;

  const download = (): void => {
    // A file among others must say what it opens.
    const head = [`Recovery codes of ${productName} (${window.location.host})`, `Account: ${user?.email ?? ''}`];
    const file = [...head, `Created: ${new Date().toISOString().slice(0, 10)}`, 'Each code signs you in once.', '', text].join('\n');
    const url = URL.createObjectURL(new Blob([file], { type: 'text/plain;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'recovery-codes.txt';
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1_000);
  };
  return (
    <Stack gap="sm">
      <Alert color="info" variant="light" p="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
        Store these codes in a safe place. Each signs you in once when your device is not at hand. They are never shown again.
      </Alert>
      <ul className={classes['recovery']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton label="Copy codes" text={text} />
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />} onClick={download}>
          Download codes
        </Button>
      </Group>
      <Checkbox label="I have stored the codes" checked={isStored} onChange={(event) => setIsStored(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

/** New recovery codes in a dialog, which only *Done* closes. */
export function RecoveryCodesPopup({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  // Keeps the codes during the fade-out.
  const [shownCodes, setShownCodes] = useState(codes);
  if (codes !== null && codes !== shownCodes) setShownCodes(codes);
  return (
    <Popup
      isOpen={codes !== null}
      onClose={ignore}
      title="Recovery codes"
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
    >
      {shownCodes !== null && <RecoveryCodes codes={shownCodes} onDone={onClose} />}
    </Popup>
  );
}
