import type { RequestRow } from '@switchyard/contract/requests';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { z } from 'zod';
import { localSettings } from '../local-settings.ts';
import { useDisplayDate } from '../time/server-time.ts';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { clampPanelWidth, panelWidths, SidePanel } from '../ui/side-panel.tsx';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import { BodySection } from './body-section.tsx';
import classes from './request-panel.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';

const keptWidth = localSettings.json('panel_width', z.number());

function usePanelWidth(): [width: number, resize: (width: number) => void] {
  const [width, setWidth] = useState(() => clampPanelWidth(keptWidth.get() ?? panelWidths.initial));
  const resize = (next: number): void => {
    setWidth(next);
    keptWidth.set(next);
  };
  return [width, resize];
}

type Props = {
  request: RequestRow;
  onClose: () => void;
  /** Goes to the row above (-1) or below (1). */
  onStep: (by: -1 | 1) => void;
};

/** Everything a request carried and was answered, beside the list (EVT-032, REQ-022). */
export function RequestPanel({ request, onClose, onStep }: Props) {
  const [width, resize] = usePanelWidth();
  const [term, setTerm] = useState('');
  const displayDate = useDisplayDate();
  return (
    <SidePanel
      title={`Request ${request.id}`}
      width={width}
      onResize={resize}
      onClose={onClose}
      onStep={onStep}
      headExtra={
        <>
          <ActionIcon variant="subtle" color="neutral" aria-label="Request above" title="Request above (Up)" onClick={() => onStep(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" color="neutral" aria-label="Request below" title="Request below (Down)" onClick={() => onStep(1)}>
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
          <CopyIcon text={() => JSON.stringify(request, null, 2)} label="Copy request as JSON" />
        </>
      }
    >
      <div className={classes['facts']}>
        <RequestTypeLabel type={request.type} />
        <span className="tabular">{displayDate(request.date)}</span>
        <ClientAddress country={request.country} ip={request.ip} />
        <BotLabels bot={request.bot} />
        <span className={classes['app']}>{request.app_bundle}</span>
      </div>
      <div className={classes['find']}>
        <TextInput
          type="search"
          size="xs"
          aria-label="Find in this request"
          placeholder="Find a key or value"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
        />
      </div>
      <BodySection title="User agent" body={request.user_agent} term={term} />
      <BodySection title="Request body" body={request.body_request} term={term} />
      <BodySection title="Response body" body={request.body_response} term={term} />
      <BodySection title="Error" body={request.error} term={term} tone={request.error === null ? undefined : 'danger'} />
      <BodySection title="Additional data" body={request.additional_data} term={term} />
    </SidePanel>
  );
}
