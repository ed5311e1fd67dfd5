const units = ['KB', 'MB', 'GB', 'TB'] as const;

/** `12.4 KB` for 12698 bytes; below 1 KB whole bytes (api [75]). */
export function readableSize(bytes: number): string {
  let size = bytes;
  let text = `${bytes} B`;
  for (const unit of units) {
    if (size < 1024) break;
    size /= 1024;
    text = `${size.toFixed(1)} ${unit}`;
  }
  return text;
}
