import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { createLogAnswers } from './answer-log-question.ts';
import type { LogReply, LogTask } from './log-questions.ts';

/** The thread in which logs are read, so that a file of any size never holds up the API (R18, S26). */
const answer = createLogAnswers(z.object({ indexDir: z.string(), searchMilliseconds: z.number() }).parse(workerData));

function reply(message: LogReply): void {
  parentPort?.postMessage(message, []);
}

parentPort?.on('message', ({ id, question }: LogTask) => {
  try {
    reply({ id, answer: answer(question) });
  } catch (error) {
    reply({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
