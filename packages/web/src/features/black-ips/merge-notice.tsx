import { Alert, Button, Group, Text } from '@mantine/core';
import { mergeBlackList } from '@switchyard/contract/black-list';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Writes } from '../../shared/ui/read-only.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';

async function merge(): Promise<void> {
  const { data } = await call(mergeBlackList, { body: {} });
  notify({
    type: 'success',
    message: `Black list: ${groupedNumber(data.removed)} covered ${data.removed === 1 ? 'entry' : 'entries'} removed`,
  });
  await queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
}

function askToMerge(): void {
  askConfirm({
    title: 'Merge covered entries?',
    lines: [
      'All entries that a network of the list covers are removed.',
      'Traffic servers that do not request networks know single addresses only, and let these in again.',
    ],
    isDangerous: true,
    action: merge,
  });
}

/** Offers to remove all entries that networks cover, above the list of them. */
export function MergeNotice() {
  return (
    <Alert color="neutral" variant="light">
      <Group justify="space-between" gap="sm">
        <Text size="sm">Networks of the list block these entries anyway.</Text>
        <Writes>
          <Button size="xs" variant="default" onClick={askToMerge}>
            Merge covered entries
          </Button>
        </Writes>
      </Group>
    </Alert>
  );
}
