import type { AccountName } from './accounts.ts';

/** The response to a sign-in, as the console stores it. */
export type StoredSession = { user: { permissions: string[] }; token: { accessToken: string; expiresAt: number } };

/** Values that the global setup passes to the tests. */
export type RunState = {
  url: string;
  sessions: Record<AccountName, StoredSession>;
  /** Token of a traffic server, for handing in events. */
  serverToken: string;
  /** The console's data folder; its logs are below it. */
  dataDir: string;
};

const variable = 'SWITCHYARD_JOURNEYS';

/** Workers inherit the environment of the process that ran the global setup. */
export function writeRunState(state: RunState): void {
  process.env[variable] = JSON.stringify(state);
}

/** The state of this run; throws when no global setup ran. */
export function readRunState(): RunState {
  const text = process.env[variable];
  if (text === undefined) throw new Error('The journeys have no server: run them through playwright test.');
  const state: RunState = JSON.parse(text);
  return state;
}
