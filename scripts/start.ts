// Service files of 1.2.14 run this file. Removed in 1.4: deploy/switchyard.service runs `switchyard start`.
process.argv.splice(2, Infinity, 'start');
await import('../packages/api/src/cli/switchyard.ts');
