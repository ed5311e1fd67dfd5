/** Startup failed for a reason the operator can fix. The message is one line; entry points print it without a stack and exit with code 1. */
export class StartupError extends Error {
  override name = 'StartupError';
}
