import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseFileTarget, type FileTarget } from './file-target.ts';

const name = 'requests.csv';
const going = (): AbortSignal => new AbortController().signal;

/** Only the dialog is replaced. The file is a real one in the page's own file system. */
function answerDialog(choose: (suggestedName: string) => Promise<FileSystemFileHandle>): void {
  vi.stubGlobal('showSaveFilePicker', ({ suggestedName }: { suggestedName: string }) => choose(suggestedName));
}
const inOwnFiles = async (suggestedName: string): Promise<FileSystemFileHandle> =>
  (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });

async function target(): Promise<FileTarget> {
  const fileTarget = await chooseFileTarget(name);
  if (fileTarget === null) throw new Error('No target');
  return fileTarget;
}

/** Content of the file; null if there is none. */
async function fileText(): Promise<string | null> {
  try {
    const handle = await (await navigator.storage.getDirectory()).getFileHandle(name);
    return await (await handle.getFile()).text();
  } catch {
    return null;
  }
}

function bodyOf(end: 'close' | 'error' | 'never'): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isBegun = false;
  return new ReadableStream({
    pull: (controller) => {
      if (!isBegun) controller.enqueue(new TextEncoder().encode('id\r\n1\r\n'));
      else if (end === 'close') controller.close();
      else if (end === 'error') controller.error(new TypeError('cut'));
      isBegun = true;
      return end === 'never' ? new Promise(() => undefined) : undefined;
    },
  });
}

afterEach(async () => {
  await (await navigator.storage.getDirectory()).removeEntry(name).catch(() => undefined);
});

describe('a file that is written while it arrives', () => {
  it('holds the whole body', async () => {
    answerDialog(inOwnFiles);
    expect(await (await target()).write(bodyOf('close'), { name, signal: going() })).toBe(name);
    expect(await fileText()).toBe('id\r\n1\r\n');
  });

  it('is no more when the body is cut or the reader cancels', async () => {
    answerDialog(inOwnFiles);
    await expect((await target()).write(bodyOf('error'), { name, signal: going() })).rejects.toThrow('cut');
    expect(await fileText()).toBeNull();
    const stop = new AbortController();
    const writing = (await target()).write(bodyOf('never'), { name, signal: stop.signal });
    stop.abort();
    await expect(writing).rejects.toThrow();
    await expect.poll(fileText).toBeNull();
  });

  it('is not asked for twice: closing the dialog means no download', async () => {
    answerDialog(() => Promise.reject(new DOMException('The user aborted a request.', 'AbortError')));
    expect(await chooseFileTarget(name)).toBeNull();
  });
});

describe('a file that the browser keeps until it is whole', () => {
  function watchLinks() {
    const clickedLinks: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      clickedLinks.push(`${this.download} ${this.href.slice(0, 5)}`);
    });
    return clickedLinks;
  }

  it.each(['no dialog', 'a dialog that a policy forbids'])('is handed over whole where there is %s', async (kind) => {
    const clickedLinks = watchLinks();
    if (kind === 'no dialog') vi.stubGlobal('showSaveFilePicker', undefined);
    else answerDialog(() => Promise.reject(new DOMException('Not allowed', 'SecurityError')));
    await (await target()).write(bodyOf('close'), { name: 'app_12.csv', signal: going() });
    expect(clickedLinks).toEqual(['app_12.csv blob:']);
  });

  it('is never handed over when the body is cut or the reader cancels', async () => {
    const clickedLinks = watchLinks();
    vi.stubGlobal('showSaveFilePicker', undefined);
    await expect((await target()).write(bodyOf('error'), { name, signal: going() })).rejects.toThrow();
    const stop = new AbortController();
    const writing = (await target()).write(bodyOf('never'), { name, signal: stop.signal });
    stop.abort();
    await expect(writing).rejects.toThrow();
    expect(clickedLinks).toEqual([]);
  });
});
