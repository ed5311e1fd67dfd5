import { Alert, Text, Textarea } from '@mantine/core';
import { blackIpReasonCharacters, blackIpReasonHint, blackIpWarningText, checkBlackIps } from '@switchyard/contract/black-ips';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../api/call.ts';
import type { BulkFormProps, BulkItem } from '../bulk/bulk-menu.tsx';
import { actionNames } from '../bulk/bulk-texts.ts';
import { DialogForm } from '../form/dialog-form.tsx';
import { limitProps } from '../form/limited.ts';
import { useUnsavedWork } from '../unsaved-work.ts';

/** Asks for the reason, and warns of addresses of the console, its servers and its reader, and of protected ones. */
function ReasonForm({ keys, onSubmit, onCancel }: BulkFormProps) {
  const [reason, setReason] = useState('');
  useUnsavedWork(reason !== '');
  const ips = [...keys];
  const { data } = useQuery({
    queryKey: ['black-list-check', ips],
    queryFn: ({ signal }) => call(checkBlackIps, { body: { ips }, signal, ...inBackground }),
  });
  const warnings = data?.data ?? [];
  return (
    <DialogForm submitLabel="Check" isEnabled onCancel={onCancel} onSubmit={() => onSubmit({ action: 'black_ip.add', params: { reason } })}>
      <Textarea
        label="Reason"
        placeholder={blackIpReasonHint}
        {...limitProps(reason, blackIpReasonCharacters)}
        minRows={2}
        maxRows={6}
        autosize
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
      {warnings.length > 0 && (
        <Alert color="warning" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title="Check these addresses">
          {warnings.map((warning) => (
            <Text key={`${warning.kind} ${warning.ip} ${warning.server ?? ''}`} size="sm">
              {blackIpWarningText(warning)}
            </Text>
          ))}
        </Alert>
      )}
    </DialogForm>
  );
}

/** The bulk actions on addresses that may not be on the black list. */
export const addressBans: readonly BulkItem[] = [{ label: actionNames['black_ip.add'], action: 'black_ip.add', Form: ReasonForm }];
