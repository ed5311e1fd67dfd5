import { enableCompileCache } from 'node:module';

// The compile cache saves about a second from the second start on. It covers only modules that are imported after this line.
enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(process.argv);
