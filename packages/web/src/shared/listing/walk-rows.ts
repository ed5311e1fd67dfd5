const pageStep = 10;

/** Where a key leads from a row; null for keys that do not walk. */
export function walkedTo(key: string, from: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last);
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'PageDown':
      return Math.min(from + pageStep, last);
    case 'PageUp':
      return Math.max(from - pageStep, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
