import { useEffect, useRef } from 'react';
import { openChannel, type AppChannel } from './ask-frame.ts';

/**
 * Hosts let only the console's origin read their answers, so the frame keeps it; what it may do is for its policy to say
 * (decision 16). The rest of the sandbox forbids it forms, pop-ups, downloads and leading the page away.
 */
const permissions = 'allow-scripts allow-same-origin';

type Props = {
  domain: string;
  /** Told of the way to the app's host once the frame is there; null: it could not be loaded. */
  onChannel: (channel: AppChannel | null) => void;
};

/** The hidden frame that sends to the host of one app (O22). */
export function QueryFrame({ domain, onChannel }: Props) {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  async function open(frame: HTMLIFrameElement): Promise<void> {
    const channel = await openChannel(frame);
    if (isShown.current) onChannel(channel);
  }

  return (
    <iframe
      title={`Sends to ${domain}`}
      src={`/dev-frame/query?domain=${encodeURIComponent(domain)}`}
      sandbox={permissions}
      referrerPolicy="no-referrer"
      hidden
      onLoad={(event) => void open(event.currentTarget)}
    />
  );
}
