import type { Readable } from 'node:stream';
import type { AccountCaller } from './callers.ts';

/** A file that is written while it is read (api 0.8). */
export class Download {
  readonly fileName: string;
  /** Begins; a refusal here still is an answer. The signal is aborted when the reader has gone. */
  readonly open: (signal: AbortSignal) => Promise<Readable>;

  constructor(fileName: string, open: Download['open']) {
    this.fileName = fileName;
    this.open = open;
  }
}

/** What a stream of events tells; `id` is where a reader may go on behind it. */
export type FeedEvent = { kind: 'rows'; id: string; rows: readonly unknown[] } | { kind: 'gap'; id: string; skipped: number | null };

export type FeedReader = {
  /** The header of that name, if any. */
  lastEventId: string | undefined;
  /** As the account is now: permissions and apps may change while the stream is open. */
  caller: () => AccountCaller;
  /** Aborted when the stream is over. */
  signal: AbortSignal;
};

/** Events as they happen, until one side ends it (api 0.14). */
export class EventFeed {
  /** Throws the refusal that ends the stream when this caller may not go on. */
  readonly requireAccess: (caller: AccountCaller) => void;
  /** Begins; a refusal here still is an answer. Nothing is read ahead of what was taken. */
  readonly open: (reader: FeedReader) => Promise<AsyncIterable<FeedEvent>>;

  constructor({ requireAccess, open }: Pick<EventFeed, 'requireAccess' | 'open'>) {
    this.requireAccess = requireAccess;
    this.open = open;
  }
}
