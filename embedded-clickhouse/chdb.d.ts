/** The part of chdb that the gateway uses. Declared here because the static checks run without chdb. */
declare module 'chdb' {
  export class Session {
    constructor(folder: string);
    queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>;
    queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>;
    close(): void;
  }

  /** Resolves when no query runs any more and every closed session has released its connection. */
  export function drainPending(): Promise<void>;
}
