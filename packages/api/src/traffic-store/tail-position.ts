/** How far a live stream has come: batches in the order of their commits, within a batch the rows by id. */
export type TailPosition = { seq: number; id: number };

/** Past every row of a batch. */
export function endOfBatch(seq: number): TailPosition {
  return { seq, id: Number.MAX_SAFE_INTEGER };
}

/** The opaque id of a position (api 0.14). */
export function writeTailPosition({ seq, id }: TailPosition): string {
  return Buffer.from(`${seq}.${id}`).toString('base64url');
}

/** The position of an id; null when it is none of ours. */
export function readTailPosition(text: string): TailPosition | null {
  if (text.length > 60) return null;
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!match) return null;
  const position = { seq: Number(match[1]), id: Number(match[2]) };
  const isOurs = Number.isSafeInteger(position.seq) && Number.isSafeInteger(position.id) && writeTailPosition(position) === text;
  return isOurs ? position : null;
}
