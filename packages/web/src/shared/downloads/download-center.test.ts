import { downloadAllRequests } from '@switchyard/contract/request-exports';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startSmallServer } from '../../testing/small-server.ts';
import { createOpen } from '../api/create-open.ts';
import { createDownloadCenter, trayShows, type DoneDownload, type DownloadJob } from './download-center.ts';
import type { FileTarget } from './file-target.ts';

/** Milliseconds; outlasts a machine busy with other tests. */
const soon = 30_000;
const head = { 'content-type': 'text/csv' };

/** A target that keeps what was written whole, as the browser does, and nothing else. */
function memoryTarget() {
  const files: string[] = [];
  const target: FileTarget = {
    write: async (body, { name, signal }) => {
      files.push(await new Response(body.pipeThrough(new TransformStream(), { signal })).text());
      return name;
    },
  };
  return { files, target };
}

async function setUp(answer: (response: ServerResponse) => void, change: Partial<DownloadJob> = {}) {
  const base = await startSmallServer((_, response) => answer(response));
  const open = createOpen({
    send: (url, init) => fetch(base + url, init),
    accessToken: () => null,
    react: () => undefined,
    observe: () => undefined,
  });
  const { files, target } = memoryTarget();
  const onDone = vi.fn<(download: DoneDownload) => void>();
  const chooseTarget = vi.fn<(name: string) => Promise<FileTarget | null>>(async () => target);
  const center = createDownloadCenter({ chooseTarget, onDone });
  const job: DownloadJob = {
    key: 'a',
    name: 'expected.csv',
    open: (signal) => open(downloadAllRequests, { signal, showsFailureItself: trayShows }),
    count: async () => 2,
    ...change,
  };
  return { center, job, files, onDone, chooseTarget };
}

describe('downloads', () => {
  it('[REQ-033, EVT-037] save a whole answer and count its rows', async () => {
    const { center, job, files, onDone, chooseTarget } = await setUp((response) => {
      response.writeHead(200, head).end('id,text\r\n1,"a\r\nb"\r\n2,c\r\n');
    });
    await center.start(job);
    expect(chooseTarget).toHaveBeenCalledWith('expected.csv');
    expect(files).toEqual(['id,text\r\n1,"a\r\nb"\r\n2,c\r\n']);
    expect(onDone).toHaveBeenCalledExactlyOnceWith({ name: 'expected.csv', rows: 2, bytes: 24 });
    expect(center.get()).toEqual([]);
  });

  it('show how many rows of how many have arrived while they run, and that they wait before', async () => {
    let response: ServerResponse | undefined;
    const { center, job } = await setUp((serverResponse) => {
      response = serverResponse;
    });
    const downloading = center.start(job);
    await vi.waitFor(() => expect(response).toBeDefined(), soon);
    expect(center.get()).toMatchObject([{ phase: 'waiting', total: 2, rows: 0 }]);
    response?.writeHead(200, head).write('id\r\n1\r\n');
    await vi.waitFor(() => expect(center.get()).toMatchObject([{ phase: 'running', total: 2, rows: 1, bytes: 7 }]), soon);
    response?.end('2\r\n');
    await downloading;
    expect(center.get()).toEqual([]);
  });

  it('count no rows in what is no CSV', async () => {
    const { center, job, onDone } = await setUp((response) => void response.writeHead(200, head).end('PK\n\n\n'), { measure: 'bytes' });
    await center.start(job);
    expect(onDone).toHaveBeenCalledExactlyOnceWith({ name: 'expected.csv', rows: null, bytes: 5 });
  });

  it('fail when the connection is cut: nothing is saved, and the reader is notified', async () => {
    const { center, job, files, onDone } = await setUp((response) => {
      response.writeHead(200, head).write('id\r\n1\r\n', () => response.socket?.resetAndDestroy());
    });
    await center.start(job);
    expect(files).toEqual([]);
    expect(onDone).not.toHaveBeenCalled();
    expect(center.get()).toMatchObject([{ phase: 'failed', failure: 'The connection was lost.' }]);
  });

  it('say what the server says when it has no place for them, and can be tried again', async () => {
    let turn = 0;
    const { center, job, files } = await setUp((response) => {
      turn += 1;
      if (turn > 1) response.writeHead(200, head).end('id\r\n');
      else {
        response.writeHead(503, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: false, message: 'Too many downloads are running, try again' }));
      }
    });
    await center.start(job);
    expect(center.get()).toMatchObject([{ phase: 'failed', failure: 'Too many downloads are running, try again' }]);
    await center.start(job);
    expect(center.get()).toEqual([]);
    expect(files).toEqual(['id\r\n']);
  });

  it('end when they are cancelled, and the server hears of it', async () => {
    let isClosed = false;
    const { center, job, files } = await setUp((response) => {
      response.writeHead(200, head).write('id\r\n1\r\n');
      response.on('close', () => {
        isClosed = true;
      });
    });
    const downloading = center.start(job);
    await vi.waitFor(() => expect(center.get()).toMatchObject([{ rows: 1 }]), soon);
    await center.start(job);
    expect(center.get(), 'the same rows are not downloaded twice at once').toHaveLength(1);
    center.cancelAll();
    await downloading;
    expect(center.get()).toEqual([]);
    expect(files).toEqual([]);
    await vi.waitFor(() => expect(isClosed).toBe(true), soon);
  });

  it('do not begin when the reader names no file, and do without a total when it cannot be had', async () => {
    const onAsk = vi.fn<() => void>();
    const { center, job, chooseTarget, onDone } = await setUp(
      (response) => {
        onAsk();
        response.writeHead(200, head).end('id\r\n1\r\n');
      },
      { count: () => Promise.reject(new Error('busy')) },
    );
    chooseTarget.mockResolvedValueOnce(null);
    await center.start(job);
    expect(onAsk).not.toHaveBeenCalled();
    await center.start(job);
    expect(onDone).toHaveBeenCalledWith({ name: 'expected.csv', rows: 1, bytes: 7 });
  });

  it('report an error of the disk', async () => {
    const { center, job, chooseTarget } = await setUp((response) => response.writeHead(200, head).end('id\r\n'));
    const full: FileTarget = { write: () => Promise.reject(new DOMException('No room left', 'QuotaExceededError')) };
    chooseTarget.mockResolvedValueOnce(full);
    await center.start(job);
    expect(center.get()).toMatchObject([{ phase: 'failed', failure: 'The file could not be written: No room left' }]);
  });
});
