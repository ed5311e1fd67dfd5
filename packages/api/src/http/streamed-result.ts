import type { streamGap } from '@switchyard/contract/request-streams';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { AccountCaller } from './request-context.ts';

/** A file that is sent while it is generated (api 0.8). */
export class Download {
  readonly fileName: string;
  /** Opens the file. An error is a normal error response. The signal is aborted when the client disconnects. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;

  constructor(fileName: string, open: Download['open']) {
    this.fileName = fileName;
    this.open = open;
  }
}

/** An event of a stream. A client can resume after `id`. */
export type FeedEvent =
  | { kind: 'start'; id: string }
  | { kind: 'rows'; id: string; rows: readonly unknown[] }
  | { kind: 'gap'; id: string; skipped: number | null; reason?: z.output<typeof streamGap>['reason'] };

export type FeedReader = {
  /** The `last-event-id` header. */
  lastEventId: string | undefined;
  /** The current caller: permissions and apps may change while the stream is open. */
  caller: () => AccountCaller;
  /** Aborted when the stream ends. */
  signal: AbortSignal;
};

/** A live stream of events, until one side ends it (api 0.14). */
export class EventFeed {
  /** @throws HttpError, which ends the stream, if the caller has lost access. */
  readonly requireAccess: (caller: AccountCaller) => void;
  /** Opens the feed. An error is a normal error response. Nothing is read ahead. */
  readonly open: (reader: FeedReader) => Promise<AsyncIterable<FeedEvent>>;

  constructor({ requireAccess, open }: Pick<EventFeed, 'requireAccess' | 'open'>) {
    this.requireAccess = requireAccess;
    this.open = open;
  }
}
