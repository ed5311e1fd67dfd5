import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { containerSettings } from './image.ts';

it('[OPS-018] the image of a release and that of deploy/Dockerfile start in the same way', () => {
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const line = (name: string): string => new RegExp(`^${name} (.+)$`, 'm').exec(final)?.[1] ?? '';
  const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes, ExposedPorts, StopSignal, Healthcheck } = containerSettings;
  const [program = '', ...health] = Healthcheck.Test;
  expect({
    user: line('USER'),
    environment: [...final.matchAll(/^ENV (.+)$/gm)].flatMap(([, settings = '']) => settings.split(' ')),
    command: [line('ENTRYPOINT'), line('CMD')],
    folders: [line('WORKDIR'), line('VOLUME')],
    ports: line('EXPOSE'),
    signal: line('STOPSIGNAL'),
    health: / {2}CMD (.+)/.exec(final)?.[1],
  }).toEqual({
    user: User,
    environment: Env.map((setting) => setting.replace(':/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ':$PATH')),
    command: [Entrypoint, Cmd].map((words) => `[${words.map((word) => `"${word}"`).join(', ')}]`),
    folders: [WorkingDir, ...Object.keys(Volumes)],
    ports: Object.keys(ExposedPorts).join('').replace('/tcp', ''),
    signal: StopSignal,
    health: `${health.slice(0, 2).join(' ')} "${health[2]}"`,
  });
  expect(program).toBe('CMD');
});
