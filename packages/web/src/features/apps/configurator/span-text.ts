const units = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
] as const;

/** A span of whole minutes, hours or days in words, e.g. `15 minutes` for 900 seconds. */
export function spanText(seconds: number): string {
  const unit = units.find((known) => seconds % known.seconds === 0) ?? { seconds: 1, name: 'second' };
  const count = seconds / unit.seconds;
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
