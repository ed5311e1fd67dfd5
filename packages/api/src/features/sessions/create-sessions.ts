import * as contract from '@switchyard/contract/own-sessions';
import { getSessionUser, signOut as signOutCall, signOutByGet } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import type { Feature, SessionCaller } from '../../http/bind.ts';
import { endOtherSessions, endOwnSession, signOut } from './session-commands.ts';
import { createSessionLookup } from './session-read-model.ts';
import { listLiveSessions } from './sessions-lookup.ts';
import { deleteDeadSessions } from './sessions-store.ts';

export type SessionsFeature = Feature & {
  /** The account of a session token, read again for each call. */
  authenticate: (token: string) => Promise<SessionCaller | null>;
};

/** The shortest time between two writes of the use of a session, in milliseconds; less with a short idle limit. */
const writeInterval = 60_000;

/** Calls on the signed-in account and on its sessions, and of signing out. */
export function createSessions({
  databases: { db, opsDb, pools },
  now: clock,
  idleMinutes,
  demoIsOn,
}: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'pools'>;
  now: () => Date;
  idleMinutes: number;
  /** False: the sessions of demo accounts are dead. */
  demoIsOn: boolean;
}): SessionsFeature {
  const idle = idleMinutes * 60_000;
  function live() {
    const now = clock();
    return { now, idleSince: before(idle, now), writtenBefore: before(Math.min(writeInterval, idle / 60), now) };
  }

  return {
    authenticate: createSessionLookup(pools.sessions, live, demoIsOn),
    maintain: async () => deleteDeadSessions(opsDb, live()),
    bindRoutes(bind) {
      bind(signOutByGet, async (call) => signOut({ db }, call));
      bind(signOutCall, async (call) => signOut({ db }, call));
      bind(getSessionUser, async ({ caller }) => caller.account, { slots: 'none' });
      bind(contract.listOwnSessions, async ({ caller }) =>
        listLiveSessions(db, { accountId: caller.account.id, sessionId: caller.by.sessionId, ...live() }),
      );
      bind(contract.endOwnSession, async (call) => endOwnSession({ db, ...live() }, call));
      bind(contract.endOtherSessions, async (call) => endOtherSessions({ db, ...live() }, call));
    },
  };
}

function before(milliseconds: number, now: Date): Date {
  return new Date(now.getTime() - milliseconds);
}
