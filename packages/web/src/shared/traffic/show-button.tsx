import { bodyTone, type RequestRow } from '@switchyard/contract/requests';
import { Button } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconBraces, IconCircleCheck } from '@tabler/icons-react';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';

const looks = {
  default: { icon: IconBraces, color: 'neutral', meaning: '' },
  success: { icon: IconCircleCheck, color: 'success', meaning: ', without error' },
  warning: { icon: IconAlertTriangle, color: 'warning', meaning: ', with a notice' },
  danger: { icon: IconAlertCircle, color: 'danger', meaning: ', with an error' },
} as const;

type Props = { row: Pick<RequestRow, 'id' | 'type' | 'error'>; onShow: () => void };

/** Opens a request in the side panel; its colour tells how the request ended (REQ-021). */
export function ShowButton({ row, onShow }: Props) {
  const tone = bodyTone(row);
  const { icon: Picture, color, meaning } = looks[tone];
  const tabIndex = useGridTabIndex();
  return (
    <Button
      size="compact-xs"
      variant="light"
      color={color}
      data-tone={tone}
      leftSection={<Picture size={13} aria-hidden />}
      aria-label={`Show request ${row.id}${meaning}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={onShow}
    >
      Show
    </Button>
  );
}
