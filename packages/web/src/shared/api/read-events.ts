import { createParser, type EventSourceMessage } from 'eventsource-parser';

type Options = {
  /** After so many milliseconds without a byte the connection counts as lost, whatever the network says. */
  readonly silence: number;
  /** Hears how many milliseconds the server asks to wait before coming back. */
  readonly onRetry?: (milliseconds: number) => void;
  /** Hears comments, such as heartbeats. */
  readonly onComment?: (comment: string) => void;
};

/** A connection on which nothing more came, not even a heartbeat. */
class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

/**
 * The server-sent events of a body as they arrive (api 0.14). Ends when the body ends; throws when it is cut off or
 * falls silent. Leaving the loop lets go of the connection.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, options: Options): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => arrived.push(event),
    onRetry: (milliseconds) => options.onRetry?.(milliseconds),
    onComment: (comment) => options.onComment?.(comment),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), options.silence);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(part: Promise<T>, milliseconds: number): Promise<T> {
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
