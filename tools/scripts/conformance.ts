import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string', default: String(Date.now()) } },
});
process.chdir(new URL('../..', import.meta.url).pathname);
process.stdout.write(`Every call ${values.rounds} times a caller, from seed ${values.seed}\n`);
const child = spawn('vitest', ['run', '--project', 'node', 'packages/api/src/http/conformance.http.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, CONFORMANCE_ROUNDS: values.rounds, CONFORMANCE_SEED: values.seed },
});
const [code] = await once(child, 'exit');
process.exitCode = code === 0 ? 0 : 1;
