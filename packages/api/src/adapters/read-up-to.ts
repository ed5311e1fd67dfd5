/** All bytes of a stream; null if there are more than `most`, and then the stream is destroyed. */
export async function readUpTo(stream: AsyncIterable<Buffer | string>, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > most) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
