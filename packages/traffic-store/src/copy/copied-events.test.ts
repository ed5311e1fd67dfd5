import { expect, it } from 'vitest';
import { testEpoch } from '../../../api/test/arbitrary-events.ts';
import { sampleEvent } from '../../../api/test/sample-event.ts';
import { toListedText } from '../event-fields.ts';
import { inBlocks } from './copied-events.ts';

/** Texts of events as a store gives them, three at a time, each with a body of this number of characters. */
async function* storedTexts(events: number, characters: number): AsyncGenerator<string[]> {
  const event = sampleEvent({ occurred_at: testEpoch, body_request: { text: 'x'.repeat(characters) } });
  const text = `[0,"13335",${toListedText(event, 1)}]`;
  for (let read = 0; read < events; read += 3) yield Array.from({ length: Math.min(3, events - read) }, () => text);
}

async function sizesOf(texts: AsyncIterable<readonly string[]>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const block of inBlocks(texts)) sizes.push(block.length);
  return sizes;
}

it('[API-028] copies events in blocks of 20,000 rows at most, and of few rows where their bodies are large', async () => {
  expect(await sizesOf(storedTexts(20_001, 1))).toEqual([20_000, 1]);
  expect(await sizesOf(storedTexts(5, 16_000_000))).toEqual([2, 2, 1]);
  expect(await sizesOf(storedTexts(0, 1))).toEqual([]);
});
