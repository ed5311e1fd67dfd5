import { ActionIcon } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { DownloadJob } from '../downloads/download-center.ts';
import { downloads } from '../downloads/downloads.ts';
import { HoverTooltip } from '../ui/hover-tooltip.tsx';

type Props = {
  /** What a click downloads. */
  job: () => DownloadJob;
  /** Why nothing can be downloaded now; the button is disabled and says so. */
  obstacle?: string | undefined;
};

/** Starts the download of a list; how far it is shows in the corner of the page (REQ-010, EVT-012). */
export function DownloadButton({ job, obstacle }: Props) {
  const isDisabled = obstacle !== undefined;
  const button = (
    <ActionIcon
      variant="default"
      size={32}
      aria-label="Download"
      title={isDisabled ? undefined : 'Download as CSV'}
      disabled={isDisabled}
      onClick={() => void downloads.start(job())}
    >
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  );
  if (!isDisabled) return button;
  return (
    <HoverTooltip label={obstacle} isFocusable>
      {button}
    </HoverTooltip>
  );
}
