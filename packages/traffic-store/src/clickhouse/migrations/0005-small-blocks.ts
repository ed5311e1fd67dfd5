import { changedTable } from '../schema.ts';

/**
 * Compresses columns in blocks of 8 KiB instead of 64. A lone event decompresses one block of each column that it is found by, which took
 * longer than reading the event itself. Existing parts keep their blocks until they are merged or rewritten.
 */
export function compressSmallBlocks(cluster: string | null): string[] {
  const table = changedTable(cluster);
  return [`alter table ${table} modify setting min_compress_block_size = 8192`];
}
