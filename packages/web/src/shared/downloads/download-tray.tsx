import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from '../external-store.ts';
import { sessionStore } from '../session/session-store.ts';
import { useKeptFocus } from '../ui/use-kept-focus.ts';
import type { Download } from './download-center.ts';
import { downloadText, shareOf } from './download-text.ts';
import classes from './download-tray.module.css';
import { downloads } from './downloads.ts';

const focusFallbacks = ['button'];
const asksFirst = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Downloads that run or have failed, in the corner of every page. Closing the page asks first while one runs; they end
 * with the session in whose name they began.
 */
export function DownloadTray() {
  const list = useStore(downloads);
  const tray = useKeptFocus<HTMLElement>(focusFallbacks);
  useEffect(() => {
    const owner = sessionStore.get()?.user.id;
    return sessionStore.subscribe(() => {
      if (sessionStore.get()?.user.id !== owner) downloads.cancelAll();
    });
  }, []);
  const isRunning = list.some(({ phase }) => phase !== 'failed');
  useEffect(() => {
    if (!isRunning) return undefined;
    window.addEventListener('beforeunload', asksFirst);
    return () => window.removeEventListener('beforeunload', asksFirst);
  }, [isRunning]);

  return (
    <section ref={tray} className={classes['tray']} aria-label="Downloads" data-screen-only>
      {list.map((download) => (
        <Card key={download.id} download={download} />
      ))}
    </section>
  );
}

function Card({ download }: { download: Download }) {
  const { id, job, name, phase } = download;
  const hasFailed = phase === 'failed';
  const share = shareOf(download);
  const CardIcon = hasFailed ? IconAlertTriangle : IconDownload;
  return (
    <div className={classes['card']} data-failed={hasFailed || undefined}>
      <CardIcon className={classes['icon']} size={18} stroke={1.8} aria-hidden />
      <div className={classes['body']}>
        {/* Told once when it begins and once when it fails; the figures would never let a reader speak of anything else. */}
        <div role={hasFailed ? 'alert' : 'status'} className={classes['name']}>
          {hasFailed ? `${name} was not downloaded` : `Downloading ${name}`}
        </div>
        <div className={classes['text']}>{downloadText(download)}</div>
        {!hasFailed && (
          <Progress.Root size="xs" mt={6}>
            <Progress.Section
              className={share === null ? (classes['endless'] ?? '') : ''}
              value={(share ?? 1) * 100}
              aria-label={`Progress of ${name}`}
              aria-valuetext={downloadText(download)}
            />
          </Progress.Root>
        )}
        {hasFailed && (
          <Button mt={8} size="xs" variant="default" onClick={() => void downloads.start(job)}>
            Try again
          </Button>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="neutral"
        size={24}
        aria-label={hasFailed ? `Dismiss ${name}` : `Cancel the download of ${name}`}
        title={hasFailed ? 'Dismiss' : 'Cancel'}
        onClick={() => downloads.cancel(id)}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
