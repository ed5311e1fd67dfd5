import { Alert, Button, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { type addBlackIps, blackIpReasonCharacters, blackIpReasonHint, blackIpWarningText } from '@switchyard/contract/black-ips';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import type { AnswerOf } from '@switchyard/contract/endpoint';
import { queryClient } from '../api/query-client.ts';
import { limitProps } from '../form/limited.ts';
import { listKey } from '../listing/list-key.ts';
import { notify } from '../ui/notifications/notification-center.ts';
import { Popup } from '../ui/popup.tsx';
import { useUnsavedWork } from '../unsaved-work.ts';
import classes from './add-ips-popup.module.css';
import { useAddIps } from './use-add-ips.ts';
import { Writes } from '../ui/read-only.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** The address that the popup opens with; none unless given. */
  ip?: string;
  onAdded?: () => void;
};

/** Adds addresses to the black list. Neither a click outside nor Escape discards typed text. */
export function AddIpsPopup({ isOpen, onClose, ip = '', onAdded }: Props) {
  const [holdsText, setHoldsText] = useState(false);
  useUnsavedWork(isOpen && holdsText);
  const close = (): void => {
    setHoldsText(false);
    onClose();
  };
  return (
    <Popup isOpen={isOpen} onClose={close} title="Add IPs" width={520} closeOnBackdrop={false} closeOnEscape={!holdsText}>
      <AddIpsForm ip={ip} onClose={close} onHold={setHoldsText} onAdded={onAdded} />
    </Popup>
  );
}

type FormProps = Pick<Props, 'onClose'> & { ip: string; onHold: (holdsText: boolean) => void; onAdded: (() => void) | undefined };

/** Mounted only while the popup is open, so it opens as it was at first. */
function AddIpsForm({ ip, onClose, onHold, onAdded }: FormProps) {
  const form = useAddIps(ip, (ips, counts) => {
    notify({ type: 'success', message: outcome(ips, counts) });
    void queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
    onAdded?.();
    onClose();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Textarea
          label="IPs"
          name="ips"
          description="Separated by spaces, commas or new lines"
          placeholder={'203.0.113.9\n2001:db8::1'}
          minRows={4}
          maxRows={10}
          autosize
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes['ips'] ?? '' }}
          value={form.input}
          onChange={(event) => {
            form.setInput(event.currentTarget.value);
            onHold(event.currentTarget.value !== ip || form.reason !== '');
          }}
          data-autofocus={ip === '' || undefined}
        />
        <Textarea
          label="Reason"
          name="reason"
          placeholder={blackIpReasonHint}
          {...limitProps(form.reason, blackIpReasonCharacters)}
          minRows={2}
          maxRows={6}
          autosize
          value={form.reason}
          onChange={(event) => {
            form.setReason(event.currentTarget.value);
            onHold(form.input !== ip || event.currentTarget.value !== '');
          }}
          data-autofocus={ip !== '' || undefined}
        />
        {form.alert !== null && (
          <Alert
            color="danger"
            variant="light"
            icon={<IconAlertTriangle size={18} aria-hidden />}
            classNames={{ message: classes['alert'] ?? '' }}
          >
            {form.alert}
          </Alert>
        )}
        {form.warnings.length > 0 && (
          <Alert color="warning" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title="Check these addresses">
            <List size="sm">
              {form.warnings.map((warning) => (
                <List.Item key={`${warning.kind} ${warning.ip} ${warning.server ?? ''}`}>{blackIpWarningText(warning)}</List.Item>
              ))}
            </List>
          </Alert>
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        {form.input.trim() === '' && (
          <Text size="sm" c="dimmed" mr="auto">
            Still needed: IPs
          </Text>
        )}
        <Button variant="default" onClick={onClose} disabled={form.isBusy}>
          Cancel
        </Button>
        <Writes>
          <Button
            type="submit"
            color={form.warnings.length > 0 ? 'danger' : 'accent'}
            disabled={!form.canAdd}
            aria-busy={form.isBusy || undefined}
          >
            {form.warnings.length > 0 ? 'Add anyway' : 'Add'}
          </Button>
        </Writes>
      </Group>
    </form>
  );
}

function outcome([first = '', ...others]: readonly string[], { created, updated }: AnswerOf<typeof addBlackIps>): string {
  const what = (count: number): string => (others.length === 0 ? first : `${count} ${count === 1 ? 'address' : 'addresses'}`);
  if (updated === 0) return `Black list: ${what(created)} added`;
  const changedText = `${what(updated)} already on it, reason changed`;
  return `Black list: ${created === 0 ? changedText : `${what(created)} added, ${changedText}`}`;
}
