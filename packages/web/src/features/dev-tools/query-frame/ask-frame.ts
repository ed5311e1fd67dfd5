import { z } from 'zod';
import { hostPatience, type FrameDescription, type FrameRequest, type SendOutcome } from './frame-messages.ts';

/** Milliseconds in which the frame itself answers, beside the time of a host. */
const framePatience = 5_000;

const description = z.object({ address: z.string().min(1), consoleOrigin: z.string() }) satisfies z.ZodType<FrameDescription>;
const outcome = z.union([
  z.object({ kind: z.literal('answer'), status: z.int(), type: z.string(), text: z.string() }),
  z.object({ kind: z.enum(['redirect', 'unreachable', 'timeout', 'too-large']) }),
]) satisfies z.ZodType<SendOutcome>;

/** Where a frame sends to, and how to send there. */
export type AppChannel = FrameDescription & { readonly send: (text: string) => Promise<SendOutcome> };

/** Opens the way through a loaded frame; null when what was loaded is not the frame, e.g. because the server is away. */
export async function openChannel(frame: HTMLIFrameElement): Promise<AppChannel | null> {
  const described = description.safeParse(await ask(frame, { kind: 'describe' }, framePatience));
  if (!described.success) return null;
  return {
    ...described.data,
    async send(text) {
      const answer = await ask(frame, { kind: 'send', text }, hostPatience + framePatience);
      return outcome.safeParse(answer).data ?? { kind: 'unreachable' };
    },
  };
}

/** What the frame answers through a port of this question's own; undefined when nothing comes in time. */
function ask(frame: HTMLIFrameElement, request: FrameRequest, patience: number): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const settle = (answer: unknown): void => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(undefined), patience);
    port1.addEventListener('message', (event) => settle(event.data));
    port1.start();
    // A page of another origin never gets the question.
    frame.contentWindow?.postMessage(request, window.location.origin, [port2]);
  });
}
