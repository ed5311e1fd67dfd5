import type { SessionToken, SessionUser } from '@switchyard/contract/session';
import { createStore, type Store } from '../external-store.ts';
import type { LocalSettings } from '../local-settings.ts';
import { correctedClock } from '../time/corrected-clock.ts';
import { viewAs } from './view-as.ts';

/** A signed-in account and its token; the token may have expired. */
export type Session = { readonly user: SessionUser; readonly token: SessionToken };

/** The phase of a session: nobody has signed in, the token has expired, or the session is live. */
export type SessionPhase = 'none' | 'expired' | 'live';

/** A token is expired when its end, in milliseconds, lies before now. */
function sessionPhase(session: Session | null, now: Date): SessionPhase {
  if (session === null) return 'none';
  return session.token.expiresAt < now.getTime() ? 'expired' : 'live';
}

export type SessionStore = Pick<Store<Session | null>, 'get' | 'subscribe'> & {
  /** Stores a new sign-in. */
  readonly open: (session: Session) => void;
  /** Replaces the account's data, e.g. after a role was edited. Does nothing if another tab has ended or replaced the session. */
  readonly updateUser: (user: SessionUser) => void;
  /** Removes token and user. */
  readonly close: () => void;
  /** Removes the stored token and user; this page keeps the account, as one whose session has expired. */
  readonly suspend: () => void;
  /** The current phase. */
  readonly phase: () => SessionPhase;
  /** Loads what another tab stored. */
  readonly reload: () => void;
};

/** The session kept in settings; a token without its user, or the reverse, is no session. */
export function createSessionStore(settings: Pick<LocalSettings, 'token' | 'user'>, now: () => Date): SessionStore {
  const readStored = (): Session | null => {
    const token = settings.token.get();
    const user = settings.user.get();
    return token && user ? { token, user } : null;
  };
  const store = createStore(readStored());
  const keep = (session: Session): void => {
    settings.token.set(session.token);
    settings.user.set(session.user);
    store.set(session);
  };
  const remove = (): void => {
    settings.token.remove();
    settings.user.remove();
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    open: keep,
    updateUser: (user) => {
      const session = store.get();
      // Another tab may have signed in or out while the account was loaded; its session is kept.
      if (session === null || settings.token.get()?.accessToken !== session.token.accessToken) return;
      settings.user.set(user);
      store.set({ ...session, user });
    },
    close: () => {
      remove();
      store.set(null);
    },
    suspend: () => {
      remove();
      const session = store.get();
      if (session !== null && session.token.expiresAt !== 0) store.set({ ...session, token: { ...session.token, expiresAt: 0 } });
    },
    phase: () => sessionPhase(store.get(), now()),
    reload: () => {
      const next = readStored();
      if (JSON.stringify(next) !== JSON.stringify(store.get())) store.set(next);
    },
  };
}

export const sessionStore: SessionStore = createSessionStore(viewAs.session, correctedClock.now);

/** The error that the login page shows; in memory only. */
export const authErrorStore: Store<string | null> = createStore<string | null>(null);
