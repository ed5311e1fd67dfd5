import { enableCompileCache } from 'node:module';

// For starts without bin/switchyard. The compile cache saves about a second from the second start on, of modules that are imported after this.
enableCompileCache();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine(process.argv);
