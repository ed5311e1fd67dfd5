import * as contract from '@switchyard/contract/google-sign-in';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { beginGoogleSignIn, discardGoogleState, signInWithGoogle, type GoogleSignInDependencies } from './sign-in-with-google.ts';

/**
 * Binds sign-in with Google (api [7], [8]). Where it is switched off both calls are not found before anything else
 * is looked at (O25). Signing in shares its limit with sign-in by e-mail (api 0.15).
 */
export function bindGoogle(bind: Bind, deps: GoogleSignInDependencies & { methods: Settings['signIn']['methods'] }): void {
  function requireOn(): void {
    if (deps.methods === 'email') throw notFound(contract.googleMessages.off);
  }

  bind(contract.getConsentUrl, async () => beginGoogleSignIn(deps), {
    async admit({ request }) {
      requireOn();
      await deps.limits.admitConsent(request.ip);
    },
  });
  bind(contract.signInWithGoogle, async ({ body, request }) => signInWithGoogle(deps, body, request), {
    async admit({ request }) {
      requireOn();
      await deps.limits.admitAddress(request.ip);
    },
    onMisfit: async (body) => discardGoogleState(deps, body),
  });
}
