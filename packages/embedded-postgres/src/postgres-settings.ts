import { totalmem } from 'node:os';

/** `none` is for tests and databases that are deleted: a crash of the machine may then lose or corrupt data. */
export type Durability = 'full' | 'none';

/**
 * Server settings as command-line arguments, so that they always belong to the running version. Sized for two cores:
 * 256 MB of shared buffers, and WAL for 1,000 events a second between checkpoints.
 */
export function postgresSettings({ port, durability }: { port: number; durability: Durability }): string[] {
  const settings: Readonly<Record<string, string | number>> = {
    listen_addresses: '127.0.0.1',
    port,
    // A socket path is limited to 107 bytes, which a deep data folder exceeds.
    unix_socket_directories: '',
    max_connections: 60,
    shared_preload_libraries: '',
    shared_buffers: '256MB',
    effective_cache_size: `${Math.max(512, Math.floor(totalmem() / 2 ** 21))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: 1.1,
    jit: 'off',
    wal_buffers: '16MB',
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '10min',
    checkpoint_completion_target: 0.9,
    autovacuum_naptime: '20s',
    // Ends statements whose client is dead.
    client_connection_check_interval: '2s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'warning',
    // Rows and statements may contain secrets.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // Several tests run at once, each with the connections of one or two consoles.
    ...(durability === 'none'
      ? {
          fsync: 'off',
          full_page_writes: 'off',
          synchronous_commit: 'off',
          shared_buffers: '128MB',
          autovacuum: 'off',
          max_connections: 200,
        }
      : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
