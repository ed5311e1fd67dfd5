import { Button, Skeleton, useComputedColorScheme } from '@mantine/core';
import { getMobileDocs } from '@switchyard/contract/dev-tools';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../shared/api/call.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { Block } from './block.tsx';
import classes from './dev-doc.module.css';

/** The guide for developers of apps as the server gives it, in a frame that may do nothing at all (DEV-010, S22, AMB-156). */
export function MobileDocs() {
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', 'mobile'],
    queryFn: ({ signal }) => call(getMobileDocs, { signal, isSilent: true }),
  });
  return (
    <Block title="Mobile docs" summary="The guide for developers of apps: request types, encoding, errors and retries.">
      {data !== undefined && <GuideFrame html={data.data} />}
      {data === undefined && error === null && <Skeleton height={320} radius="md" aria-label="Loading the guide" />}
      {data === undefined && error !== null && (
        <StatePanel
          icon={IconFileOff}
          title="The guide could not be loaded"
          tone="danger"
          order={3}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          Nothing is lost; the server gives it again once it can be reached.
        </StatePanel>
      )}
    </Block>
  );
}

/** The guide is read with the token, which no address of the server can carry; so its text gets an address inside this page. */
function GuideFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = useComputedColorScheme('light');
  useEffect(() => {
    // The guide cannot know otherwise which theme the console is in.
    const themed = html.replace('<html ', `<html data-theme="${theme}" `);
    const address = URL.createObjectURL(new Blob([themed], { type: 'text/html;charset=utf-8' }));
    if (frame.current !== null) frame.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [html, theme]);
  // No permission in the list: no script, no form, no way out, no origin.
  return <iframe ref={frame} className={classes['guide']} title="Guide for developers of apps" sandbox="" />;
}
