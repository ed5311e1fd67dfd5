/**
 * The start cannot go on for a reason the operator can mend. The message is one clear line; main prints it
 * without a stack and ends with exit code 1.
 */
export class StartRefused extends Error {
  override name = 'StartRefused';
}
