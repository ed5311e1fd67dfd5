import type { FrameDescription, FrameRequest, SendOutcome } from './frame-messages.ts';

type Surroundings = {
  /** The window of the embedding page; the own window when there is none. */
  readonly page: unknown;
  readonly own: unknown;
  /** The origin of the frame; the page must have the same. */
  readonly origin: string;
  readonly description: FrameDescription;
  readonly send: (text: string) => Promise<SendOutcome>;
};

/** The properties of a message event that are used. */
type FrameMessage = Pick<MessageEvent<unknown>, 'data' | 'origin' | 'ports'> & { readonly source: unknown };

/** Creates a message handler that answers the embedding page only, through the port sent with the request. */
export function createPageAnswer({ page, own, origin, description, send }: Surroundings): (event: FrameMessage) => Promise<void> {
  return async (event) => {
    const [port] = event.ports;
    if (page === own || event.source !== page || event.origin !== origin || port === undefined) return;
    if (!isRequest(event.data)) return;
    port.postMessage(event.data.kind === 'describe' ? description : await send(event.data.text));
  };
}

function isRequest(data: unknown): data is FrameRequest {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return false;
  return data.kind === 'describe' || (data.kind === 'send' && 'text' in data && typeof data.text === 'string');
}
