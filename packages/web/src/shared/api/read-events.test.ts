import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readEvents } from './read-events.ts';

type Body = ReadableStream<Uint8Array>;

function bodyOf(parts: readonly Uint8Array[], end: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Body {
  const remainingParts = [...parts];
  return new ReadableStream({
    pull: (controller) => {
      const part = remainingParts.shift();
      if (part === undefined) end(controller);
      else controller.enqueue(part);
    },
  });
}

const text = 'retry: 3000\n: ok\n\nid: 7\nevent: rows\ndata: [{"name":"Zoë 🚂"}]\n\n: hb\n\nid: 8\nevent: gap\ndata: {"skipped":3}\n\n';

async function readAll(body: Body, silence = 1_000) {
  const texts: string[] = [];
  const onRetry = vi.fn<(milliseconds: number) => void>();
  const onComment = vi.fn<(comment: string) => void>();
  for await (const { id, event, data } of readEvents(body, { silence, onRetry, onComment })) texts.push(`${id} ${event} ${data}`);
  return { texts, onRetry, onComment };
}

describe('events of a stream (api 0.14)', () => {
  it('are the same however the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
        const { texts, onRetry, onComment } = await readAll(bodyOf(parts, (controller) => controller.close()));
        expect(texts).toEqual(['7 rows [{"name":"Zoë 🚂"}]', '8 gap {"skipped":3}']);
        expect(onRetry).toHaveBeenCalledExactlyOnceWith(3_000);
        expect(onComment.mock.calls.flat().map((comment) => comment.trim())).toEqual(['ok', 'hb']);
      }),
    );
  });

  it('fail when the connection is cut', async () => {
    const cutBody = bodyOf([new TextEncoder().encode(text)], (controller) => controller.error(new TypeError('cut')));
    await expect(readAll(cutBody)).rejects.toThrow('cut');
  });

  it('fail when nothing comes any more, and let the connection go', async () => {
    let isReleased = false;
    const silent: Body = new ReadableStream({
      cancel: () => {
        isReleased = true;
      },
    });
    await expect(readAll(silent, 20)).rejects.toThrow('fell silent');
    expect(isReleased).toBe(true);
  });
});
