import { pushFileProblem, readPushFile } from '@switchyard/contract/app-push-file';

/** What the server would refuse about a chosen file, in its words, or null; a file of the wrong kind or size is not even read. */
export async function checkPushFile(file: File): Promise<string | null> {
  const problem = pushFileProblem(file);
  if (problem !== null) return problem;
  const read = readPushFile({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  return typeof read === 'string' ? read : null;
}
