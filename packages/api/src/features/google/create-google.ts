import * as contract from '@switchyard/contract/google-sign-in';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { beginGoogleSignIn, discardGoogleState, signInWithGoogle, type GoogleSignInDependencies } from './google-commands.ts';

/**
 * Calls of sign-in with Google. Where it is off, both throw 404 before anything else. The limit is shared with
 * sign-in by e-mail.
 */
export function createGoogle(deps: GoogleSignInDependencies & { methods: Settings['signIn']['methods'] }): Feature {
  function requireOn(): void {
    if (deps.methods === 'email') throw notFound(contract.googleMessages.off);
  }

  return {
    bindRoutes(bind) {
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
    },
  };
}
