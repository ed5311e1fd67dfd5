import type { FrameDescription, FrameRequest, SendOutcome } from './frame-messages.ts';

type Surroundings = {
  /** The window of the page around the frame; the frame's own when there is none. */
  readonly page: unknown;
  readonly own: unknown;
  /** The origin of the frame, which that of the page must be. */
  readonly origin: string;
  readonly description: FrameDescription;
  readonly send: (text: string) => Promise<SendOutcome>;
};

/** The part of a message event that is looked at. */
type Received = Pick<MessageEvent<unknown>, 'data' | 'origin' | 'ports'> & { readonly source: unknown };

/** Answers the page around the frame through the port that came with its question, and nobody else in any way (O22, S20). */
export function createPageAnswer({ page, own, origin, description, send }: Surroundings): (event: Received) => Promise<void> {
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
