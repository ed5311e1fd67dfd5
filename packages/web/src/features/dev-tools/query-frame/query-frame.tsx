import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { hostTimeout, type FrameDescription, type FrameRequest, type SendOutcome } from './frame-messages.ts';

/**
 * Hosts allow only the console's origin, so the frame keeps it; its content policy limits what it may do (decision
 * 16). The sandbox forbids forms, pop-ups, downloads and top-level navigation.
 */
const permissions = 'allow-scripts allow-same-origin';

type Props = {
  domain: string;
  /** Called when the frame has loaded; null when it could not be loaded. */
  onChannel: (channel: AppChannel | null) => void;
};

/** The hidden frame that sends requests to the host of one app. */
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

/** Milliseconds for the frame itself to answer, in addition to the time of a host. */
const frameTimeout = 5_000;

const description = z.object({ address: z.string().min(1), consoleOrigin: z.string() }) satisfies z.ZodType<FrameDescription>;
const outcome = z.union([
  z.object({ kind: z.literal('answer'), status: z.int(), type: z.string(), text: z.string() }),
  z.object({ kind: z.enum(['redirect', 'unreachable', 'timeout', 'too-large']) }),
]) satisfies z.ZodType<SendOutcome>;

/** The target of a frame, and a function that sends to it. */
export type AppChannel = FrameDescription & { readonly send: (text: string) => Promise<SendOutcome> };

/** Opens a channel to a loaded frame. Returns null when something else was loaded, for example because the server is unavailable. */
async function openChannel(frame: HTMLIFrameElement): Promise<AppChannel | null> {
  const pageDescription = description.safeParse(await requestFrame(frame, { kind: 'describe' }, frameTimeout));
  if (!pageDescription.success) return null;
  return {
    ...pageDescription.data,
    async send(text) {
      const answer = await requestFrame(frame, { kind: 'send', text }, hostTimeout + frameTimeout);
      return outcome.safeParse(answer).data ?? { kind: 'unreachable' };
    },
  };
}

/** Sends a request to the frame through a port of its own; undefined on timeout. */
function requestFrame(frame: HTMLIFrameElement, request: FrameRequest, timeout: number): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const settle = (answer: unknown): void => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(undefined), timeout);
    port1.addEventListener('message', (event) => settle(event.data));
    port1.start();
    // A page of another origin does not receive the request.
    frame.contentWindow?.postMessage(request, window.location.origin, [port2]);
  });
}
