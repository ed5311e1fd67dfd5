import { enableCompileCache } from 'node:module';

// The compile cache saves about a second from the second start on. What it shall cache is imported after this line.
enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(process.argv);
