import { ActionIcon } from '@mantine/core';
import { removeBlackIp } from '@switchyard/contract/black-ips';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

/** Takes an address off the list at once, without a prompt, and has the list read again (BIP-008, AMB-206). */
export function RemoveIpButton({ ip }: { ip: string }) {
  const tabIndex = useGridTabIndex();
  const removal = useMutation({
    mutationFn: () => call(removeBlackIp, { params: { ip } }),
    onSuccess: () => notify({ type: 'success', message: `${ip} is off the black list` }),
    // Also after a refusal: somebody else may have removed it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey('black-ips') }),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="danger"
      size="md"
      aria-label={`Delete ${ip}`}
      title={`Delete ${ip}`}
      loading={removal.isPending}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={() => removal.mutate()}
    >
      <IconTrash size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
