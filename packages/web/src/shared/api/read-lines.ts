/** The lines of a body as they arrive, without those that are not whole. Leaving the loop closes the connection. */
export async function* readLines({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      const texts = (rest + decoder.decode(part.value, { stream: true })).split('\n');
      rest = texts.pop() ?? '';
      yield* texts;
    }
  } finally {
    reader?.cancel().catch(() => undefined);
  }
}
