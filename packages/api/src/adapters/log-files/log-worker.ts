import { parentPort, workerData } from 'node:worker_threads';
import { createLogAnswers, logOptions } from './answer-log-question.ts';
import type { LogReply, LogTask } from './log-questions.ts';

/** Reads logs in a worker thread, so that large files do not block the API. */
const answer = createLogAnswers(logOptions.parse(workerData));

function reply(message: LogReply): void {
  parentPort?.postMessage(message, []);
}

async function serve({ id, question }: LogTask): Promise<void> {
  try {
    reply({ id, answer: await answer(question) });
  } catch (error) {
    reply({ id, fault: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (task: LogTask) => void serve(task));
