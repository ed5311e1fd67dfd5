import { ActionIcon, Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconDownload, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from '../external-store.ts';
import { sessionStore } from '../session/session-store.ts';
import { useFocusFallback } from '../ui/use-focus-fallback.ts';
import type { Download } from './download-center.ts';
import { downloadText, shareOf } from './download-text.ts';
import classes from './download-tray.module.css';
import { downloads } from './downloads.ts';

const focusFallbacks = ['button'];
const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault();

/**
 * Running and failed downloads, in the corner of every page. While one runs, closing the page asks for confirmation. They
 * are cancelled when the session ends.
 */
export function DownloadTray() {
  const list = useStore(downloads);
  const tray = useFocusFallback<HTMLElement>(focusFallbacks);
  useEffect(() => sessionStore.subscribe(() => sessionStore.get() === null && downloads.cancelAll()), []);
  const isRunning = list.some(({ phase }) => phase !== 'failed');
  useEffect(() => {
    if (!isRunning) return undefined;
    window.addEventListener('beforeunload', confirmLeave);
    return () => window.removeEventListener('beforeunload', confirmLeave);
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
  const { id, job, phase } = download;
  const { name } = job;
  const hasFailed = phase === 'failed';
  const share = shareOf(download);
  const CardIcon = hasFailed ? IconAlertTriangle : IconDownload;
  return (
    <div className={classes['card']} data-failed={hasFailed || undefined}>
      <CardIcon className={classes['icon']} size={18} stroke={1.8} aria-hidden />
      <div className={classes['body']}>
        {/* Announced once at the start and once on failure; announcing the progress would flood a screen reader. */}
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
