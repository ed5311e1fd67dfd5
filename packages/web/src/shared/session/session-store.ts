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
  /** Stores a new sign-in. Returns whether this page continues with it; otherwise only the next page load does. */
  readonly open: (session: Session) => boolean;
  /** Continues with a session that another tab stored. Returns false if this page cannot: it belongs to another account, or its account left. */
  readonly adopt: (session: Session) => boolean;
  /** Replaces the account's data, e.g. after a role was edited. Does nothing if another tab has ended or replaced the session. */
  readonly updateUser: (user: SessionUser) => void;
  /** Removes token and user. A session that another tab stored meanwhile is kept. */
  readonly close: () => void;
  /** Like `close`, but this page keeps the account, as one whose session has expired. */
  readonly suspend: () => void;
  /** The current phase. */
  readonly phase: () => SessionPhase;
  /** The session in the storage of the browser. */
  readonly stored: () => Session | null;
  /** Whether another tab has stored another session than that of this page. */
  readonly isReplaced: () => boolean;
};

/** Whether this page has had an account. */
export const hadAccount: Store<boolean> = createStore(false);

/**
 * The session kept in settings; a token without its user, or the reverse, is no session. A page belongs to the first account that it gets
 * until the next page load, so that nothing that it holds in memory can act for another account.
 */
export function createSessionStore(
  settings: Pick<LocalSettings, 'token' | 'user'>,
  now: () => Date,
  isTaken: Store<boolean> = createStore(false),
): SessionStore {
  const readStored = (): Session | null => {
    const token = settings.token.get();
    const user = settings.user.get();
    return token && user ? { token, user } : null;
  };
  const store = createStore(readStored());
  isTaken.set(store.get() !== null);
  const isReplaced = (): boolean => {
    const token = settings.token.get();
    return token !== null && token.accessToken !== store.get()?.token.accessToken;
  };
  const adopt = (session: Session): boolean => {
    const current = store.get();
    if (isTaken.get() && current?.user.id !== session.user.id) return false;
    isTaken.set(true);
    if (JSON.stringify(session) !== JSON.stringify(current)) store.set(session);
    return true;
  };
  const remove = (): void => {
    if (isReplaced()) return;
    settings.token.remove();
    settings.user.remove();
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    open: (session) => {
      settings.token.set(session.token);
      settings.user.set(session.user);
      const isAdopted = adopt(session);
      if (!isAdopted) store.set(null);
      return isAdopted;
    },
    adopt,
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
    stored: readStored,
    isReplaced,
  };
}

export const sessionStore: SessionStore = createSessionStore(viewAs.session, correctedClock.now, hadAccount);

/**
 * Whether the reader has signed out and the sign-in page has not opened yet. A page that was still opening meanwhile looks like one that is
 * asked for.
 */
export const isSigningOut: Store<boolean> = createStore(false);

/** The error that the login page shows; in memory only. */
export const authErrorStore: Store<string | null> = createStore<string | null>(null);
