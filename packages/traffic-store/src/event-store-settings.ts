/** Where events are stored; `chdb` is the embedded ClickHouse. */
export type EventStoreSettings =
  | { kind: 'postgres' }
  | { kind: 'clickhouse'; url: string; cluster: string | null }
  /** The folder is absolute. */
  | { kind: 'chdb'; folder: string };
