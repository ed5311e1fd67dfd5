import { parentPort, workerData } from 'node:worker_threads';
import { createLogAnswers, logOptions } from './answer-log-question.ts';
import { exactTextsOf, type LogReply, type LogTask } from './log-questions.ts';

/** Reads logs in a worker thread, so that large files do not block the API. */
const answer = createLogAnswers(logOptions.parse(workerData));

function reply(message: LogReply): void {
  parentPort?.postMessage(message, []);
}

async function serve({ id, question }: LogTask): Promise<void> {
  try {
    const logAnswer = await answer(question);
    reply({ id, answer: logAnswer, exact: exactTextsOf(logAnswer) });
  } catch (error) {
    reply({ id, fault: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (task: LogTask) => void serve(task));
