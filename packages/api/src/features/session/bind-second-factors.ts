import * as factors from '@switchyard/contract/second-factors';
import { signInMessages } from '@switchyard/contract/session';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import {
  beginTotp,
  confirmTotp,
  listOwnFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  type OwnFactorsDependencies,
} from './own-factors.ts';
import { beginPasskey, confirmPasskey } from './own-passkeys.ts';
import { beginPasskeySignIn, passkeyOptionsOfCaller, passkeyOptionsOfSignIn, signInWithPasskey } from './passkey-sign-in.ts';
import { reauthenticate } from './reauthenticate.ts';
import { finishSignIn, type SecondStepDependencies } from './second-step.ts';
import type { ProvePassword } from './sign-in.ts';
import type { GoogleProofDependencies } from './sign-in-with-google.ts';

type Dependencies = SecondStepDependencies &
  GoogleProofDependencies &
  OwnFactorsDependencies & {
    provePassword: ProvePassword;
    /** False where accounts sign in with Google only: a passkey is a second factor there, but no way in by itself. */
    hasPasskeySignIn: boolean;
  };

/** Calls of signing in with a second factor or a passkey, of confirming one's identity, and on the caller's own factors. */
export function bindSecondFactors(bind: Bind, deps: Dependencies): void {
  const admit = async ({ request: { ip } }: { request: { ip: string } }): Promise<void> => deps.limits.admitAddress(ip);
  const admitPasskey = async (call: { request: { ip: string } }): Promise<void> => {
    if (!deps.hasPasskeySignIn) throw notFound(signInMessages.passkeyOff);
    await admit(call);
  };
  bind(
    factors.finishSignIn,
    async ({ body: { challenge, ...given }, request }) => finishSignIn(deps, { challenge, proof: stepProof(given) }, request),
    {
      admit,
    },
  );
  bind(factors.getPasskeyOptionsOfSignIn, async ({ body }) => passkeyOptionsOfSignIn(deps, body.challenge), { admit });
  bind(factors.beginPasskeySignIn, async () => beginPasskeySignIn(deps), { admit: admitPasskey });
  bind(factors.signInWithPasskey, async ({ body, request }) => signInWithPasskey(deps, { ...body, proof: body.passkey }, request), {
    admit: admitPasskey,
  });
  bind(
    factors.reauthenticate,
    async ({ body: { challenge = '', passkey, google, ...given }, caller, request }) => {
      const other = google === undefined ? identityProof(given) : { google };
      const proof = passkey === undefined ? other : { challenge, passkey };
      return reauthenticate(deps, { caller, request, proof });
    },
    { admit },
  );
  bind(factors.getOwnPasskeyOptions, async ({ caller }) => passkeyOptionsOfCaller(deps, caller));
  bind(factors.listOwnFactors, async ({ caller }) => listOwnFactors(deps, caller));
  bind(factors.beginTotp, async ({ caller }) => beginTotp(deps, caller));
  bind(factors.confirmTotp, async ({ body, caller, request }) => confirmTotp(deps, { ...body, caller, request }));
  bind(factors.beginPasskey, async ({ caller }) => beginPasskey(deps, caller));
  bind(factors.confirmPasskey, async ({ body, caller, request }) => confirmPasskey(deps, { ...body, caller, request }));
  bind(factors.renameFactor, async ({ params, body, caller, request }) => renameFactor(deps, { ...params, ...body, caller, request }));
  bind(factors.removeFactor, async ({ params, caller, request }) => removeFactor(deps, { ...params, caller, request }));
  bind(factors.renewRecoveryCodes, async ({ caller, request }) => renewRecoveryCodes(deps, { caller, request }));
}

type Given<P> = { [K in keyof P]?: P[K] | undefined };

/** The one proof of a second step; the contract rejects bodies with none or several. */
function stepProof<P>({ code, recovery_code: recovery = '', passkey }: Given<{ code: string; recovery_code: string; passkey: P }>) {
  if (passkey !== undefined) return { passkey };
  return code === undefined ? { recovery_code: recovery } : { code };
}

function identityProof({ code, recovery_code, password = '' }: Given<{ code: string; recovery_code: string; password: string }>) {
  if (recovery_code !== undefined) return { recovery_code };
  return code === undefined ? { password } : { code };
}
