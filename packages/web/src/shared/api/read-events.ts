import { createParser, type EventSourceMessage } from 'eventsource-parser';

type Options = {
  /** Milliseconds without a byte after which the connection counts as lost. */
  readonly silence: number;
  /** Called with the reconnection delay that the server asks for. */
  readonly onRetry?: (milliseconds: number) => void;
  /** Called with comments, such as heartbeats. */
  readonly onComment?: (comment: string) => void;
};

/** No data arrived in time, not even a heartbeat. */
class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

/**
 * Yields the server-sent events of a body as they arrive. Ends with the body; throws when the connection breaks or
 * times out. Leaving the loop closes the connection.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, options: Options): AsyncGenerator<EventSourceMessage> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => messages.push(event),
    onRetry: (milliseconds) => options.onRetry?.(milliseconds),
    onComment: (comment) => options.onComment?.(comment),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), options.silence);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function withTimeout<T>(part: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilenceError('The stream fell silent')), milliseconds);
  });
  try {
    return await Promise.race([part, late]);
  } finally {
    clearTimeout(timer);
  }
}
