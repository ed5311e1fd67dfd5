import * as factors from '@switchyard/contract/second-factors';
import { signIn as signInCall, signInMessages } from '@switchyard/contract/session';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import type { FindReauthentication } from '../../http/recent-sign-in.ts';
import { beginPasskeySignIn, passkeyOptionsOfCaller, passkeyOptionsOfSignIn, signInWithPasskey } from './passkey-sign-in-commands.ts';
import { reauthenticate, type ReauthenticationDependencies } from './reauthentication-commands.ts';
import { createReauthenticationLookup } from './recent-sign-in-lookup.ts';
import { finishSignIn } from './second-step-commands.ts';
import { provePassword, signIn, type ProvePassword, type SignInDependencies } from './sign-in-commands.ts';

export type SignInFeature = Feature & { provePassword: ProvePassword; findReauthentication: FindReauthentication };

/** Calls of signing in with a password, a second factor or a passkey, and of confirming one's identity. */
export function createSignIn(
  signInDeps: SignInDependencies &
    Omit<ReauthenticationDependencies, 'provePassword'> & { methods: Settings['signIn']['methods']; hasGoogle: boolean },
): SignInFeature {
  const { db, now, limits, hasGoogle } = signInDeps;
  const hasPasswords = signInDeps.methods !== 'google';
  const proves: ProvePassword = async (claim) => provePassword(signInDeps, claim);
  const deps = { ...signInDeps, provePassword: proves };
  const admit = async ({ request: { ip } }: { request: { ip: string } }): Promise<void> => limits.admitAddress(ip);
  /** Where accounts sign in with Google only, a passkey is a second factor, but no way in by itself. */
  const admitUnlessGoogleOnly = (message: string) => async (call: { request: { ip: string } }) => {
    if (!hasPasswords) throw notFound(message);
    await admit(call);
  };
  const admitPasskey = admitUnlessGoogleOnly(signInMessages.passkeyOff);

  return {
    provePassword: proves,
    findReauthentication: createReauthenticationLookup({ db, now, hasPasswords, hasGoogle }),
    bindRoutes(bind) {
      bind(signInCall, async ({ body, request }) => signIn(deps, body, request), { admit: admitUnlessGoogleOnly(signInMessages.emailOff) });
      bind(
        factors.finishSignIn,
        async ({ body: { challenge, ...givenProof }, request }) => finishSignIn(deps, { challenge, proof: stepProof(givenProof) }, request),
        { admit },
      );
      bind(factors.getPasskeyOptionsOfSignIn, async ({ body }) => passkeyOptionsOfSignIn(deps, body.challenge), { admit });
      bind(factors.beginPasskeySignIn, async () => beginPasskeySignIn(deps), { admit: admitPasskey });
      bind(factors.signInWithPasskey, async ({ body, request }) => signInWithPasskey(deps, { ...body, proof: body.passkey }, request), {
        admit: admitPasskey,
      });
      bind(
        factors.reauthenticate,
        async ({ body: { challenge = '', passkey, google, ...givenProof }, caller, request }) => {
          const other = google === undefined ? identityProof(givenProof) : { google };
          const proof = passkey === undefined ? other : { challenge, passkey };
          return reauthenticate(deps, { caller, request, proof });
        },
        { admit },
      );
      bind(factors.getOwnPasskeyOptions, async ({ caller }) => passkeyOptionsOfCaller(deps, caller));
    },
  };
}

type Optional<P> = { [K in keyof P]?: P[K] | undefined };

/** The one proof of a second step; the contract rejects bodies with none or several. */
function stepProof<P>({ code, recovery_code: recovery = '', passkey }: Optional<{ code: string; recovery_code: string; passkey: P }>) {
  if (passkey !== undefined) return { passkey };
  return code === undefined ? { recovery_code: recovery } : { code };
}

function identityProof({ code, recovery_code, password = '' }: Optional<{ code: string; recovery_code: string; password: string }>) {
  if (recovery_code !== undefined) return { recovery_code };
  return code === undefined ? { password } : { code };
}
