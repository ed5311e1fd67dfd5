import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** Runs a script. A problem that whoever runs it can fix ends it with one line and exit code 1; a defect is thrown. */
export async function endInOneLine(script: () => Promise<void> | void): Promise<void> {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
