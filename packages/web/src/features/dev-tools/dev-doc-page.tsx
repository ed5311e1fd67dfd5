import { Page } from '../../shared/page/page.tsx';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import classes from './dev-doc.module.css';
import { useState, type ComponentProps, useEffect, useRef } from 'react';
import { CalculateRequest } from './calculate-request.tsx';
import { Query } from './query.tsx';
import { Button, Skeleton, useComputedColorScheme } from '@mantine/core';
import { getMobileDocs } from '@switchyard/contract/dev-tools';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { Block } from './block.tsx';

/** Tools for app developers, each with its own permission: encoder, query and guide. */
export function DevDocPage() {
  const mayEncode = useHoldsAny('manager_dev_request_encryption');
  const mayRead = useHoldsAny('manager_dev_docs');
  return (
    <Page>
      <div className={classes['blocks']}>
        {mayEncode && <RequestTools />}
        {mayRead && <MobileDocs />}
      </div>
    </Page>
  );
}

/** The encoder and the query that sends its result. */
export function RequestTools({ Frame }: Pick<ComponentProps<typeof Query>, 'Frame'>) {
  const [encodedText, setEncoded] = useState<string | null>(null);
  return (
    <div className={classes['tools']}>
      <CalculateRequest encodedText={encodedText} onEncoded={setEncoded} />
      <Query encodedText={encodedText} {...(Frame === undefined ? {} : { Frame })} />
    </div>
  );
}

/** The guide for app developers in a sandboxed frame without any permission. */
function MobileDocs() {
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', 'mobile'],
    queryFn: ({ signal }) => call(getMobileDocs, { signal, isSilent: true }),
  });
  return (
    <Block title="Mobile docs" summary="The guide for developers of apps: request types, encoding, errors and retries.">
      {data !== undefined && <GuideFrame html={data.data} />}
      {data === undefined && error === null && (
        <Skeleton component="output" display="block" height={320} radius="md" aria-label="Loading the guide" />
      )}
      {data === undefined && error !== null && (
        <StatePanel
          icon={IconFileOff}
          title="The guide could not be loaded"
          tone="danger"
          order={3}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          Try again when the server is available.
        </StatePanel>
      )}
    </Block>
  );
}

/** The guide requires the token, which a frame address cannot carry. So its text is loaded by a call and shown from a blob address. */
function GuideFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = useComputedColorScheme('light');
  useEffect(() => {
    // The frame cannot read the theme of the console.
    const themedHtml = html.replace('<html ', `<html data-theme="${theme}" `);
    const address = URL.createObjectURL(new Blob([themedHtml], { type: 'text/html;charset=utf-8' }));
    if (frame.current !== null) frame.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [html, theme]);
  // An empty list: no scripts, forms, navigation or origin.
  return <iframe ref={frame} className={classes['guide']} title="Guide for developers of apps" sandbox="" />;
}
