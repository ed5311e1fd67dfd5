/** A place in the trail before or after the row with this id, and which way to go from it. */
export type AuditPosition = { toward: 'next' | 'previous'; id: number };

/** Opaque text of a position (api 0.7). */
export function writeAuditCursor({ toward, id }: AuditPosition): string {
  return Buffer.from(JSON.stringify(['audit', toward, id])).toString('base64url');
}

/** The position that a cursor stands for; null, which means the first page, unless it is the very text that we wrote. */
export function readAuditCursor(text: string | undefined): AuditPosition | null {
  if (text === undefined || text.length > 100) return null;
  const [, toward, digits] = /^\["audit","(next|previous)",(\d{1,15})\]$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (toward !== 'next' && toward !== 'previous') return null;
  const position: AuditPosition = { toward, id: Number(digits) };
  return writeAuditCursor(position) === text ? position : null;
}
