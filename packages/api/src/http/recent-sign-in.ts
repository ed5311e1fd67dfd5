import type { Endpoint } from '@switchyard/contract/endpoint';
import { reauthenticationRequired, viewIsReadOnly } from '../errors.ts';
import type { AccountCaller, WriteGuard } from './request-context.ts';

/** How a caller whose sign-in is not recent can confirm who they are. `hasFactor`: by a second factor. */
export type Reauthentication = { methods: readonly string[]; hasFactor: boolean };

/** Finds how the caller can confirm who they are; null if the sign-in is recent, and for API tokens. */
export type FindReauthentication = (caller: AccountCaller) => Promise<Reauthentication | null>;

/**
 * Enforces `recentSignIn` of an endpoint, and that a view writes nothing. Throws 403 if the call itself needs a recent sign-in.
 * Otherwise gives the check that `recordAudit` applies to each write of the call before it is committed; null: there is nothing to
 * check.
 */
export async function guardRecentSignIn(
  { recentSignIn }: Pick<Endpoint, 'recentSignIn'>,
  caller: AccountCaller,
  find: FindReauthentication,
): Promise<WriteGuard | null> {
  // No call of a view should come as far as a write. If one does, nothing is committed.
  if (caller.by.kind === 'view-as')
    return () => {
      throw viewIsReadOnly();
    };
  if (!recentSignIn) return null;
  // Looked up before the handler runs: the transaction of a write may already have removed the factor that confirms it.
  const due = await find(caller);
  if (due === null) return null;
  if (recentSignIn.before === 'call') throw reauthenticationRequired(due.methods);
  return ({ fields, hasProvenPassword }) => {
    if (recentSignIn.before === 'change') {
      const proven = hasProvenPassword && !due.hasFactor ? ['password'] : [];
      if (!fields.some((field) => recentSignIn.of.includes(field) && !proven.includes(field))) return;
    }
    throw reauthenticationRequired(due.methods);
  };
}
