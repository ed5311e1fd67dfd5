import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDownloadPlaces } from './download-places.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const staying = new AbortController().signal;

async function taken(isStopping = () => false) {
  const enter = createDownloadPlaces({ isStopping });
  return { enter, leave: await Promise.all([enter(staying), enter(staying), enter(staying)]) };
}

describe('places for downloads', () => {
  it('[API-084] refuses a fourth one after 30 seconds of waiting, and not before', async () => {
    const { enter, leave } = await taken();
    const refused = expect(enter(staying)).rejects.toMatchObject({
      status: 503,
      message: 'Too many downloads are running, try again',
      retryAfter: 2,
    });
    const settled = vi.fn<() => void>();
    void refused.then(settled);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    leave[0]();
    leave[0]();
    const again = await enter(staying);
    expect(again).toBeTypeOf('function');
  });

  it('[API-084] frees a place once however often it is told, and passes it on in order', async () => {
    const { enter, leave } = await taken();
    const order: string[] = [];
    const second = enter(staying).then((free) => [order.push('first'), free] as const);
    const third = enter(staying).then((free) => [order.push('second'), free] as const);
    leave[0]();
    leave[0]();
    const [, free] = await second;
    expect(order).toEqual(['first']);
    free();
    await third;
    expect(order).toEqual(['first', 'second']);
  });

  it('[API-084] lets nobody wait who has gone, or once the process is to end', async () => {
    const state = { stopping: false };
    const { enter, leave } = await taken(() => state.stopping);
    const gone = new AbortController();
    const left = expect(enter(gone.signal)).rejects.toMatchObject({ status: 503 });
    const waiting = enter(staying);
    gone.abort();
    await left;
    leave[0]();
    await waiting;
    const last = expect(enter(staying)).rejects.toMatchObject({ message: 'The server is shutting down, try again' });
    state.stopping = true;
    await vi.advanceTimersByTimeAsync(1000);
    await last;
  });
});
