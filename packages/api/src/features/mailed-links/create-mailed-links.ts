import * as contract from '@switchyard/contract/account-links';
import { signInMessages } from '@switchyard/contract/session';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import {
  acceptInvitation,
  requestPasswordReset,
  resetPassword,
  showInvitation,
  showPasswordReset,
  type UseLinkDependencies,
} from './mailed-link-commands.ts';

/** Calls of people who set a password with a link, and who forgot theirs. */
export function createMailedLinks(
  deps: UseLinkDependencies & {
    /** Null where no mail is sent. */
    sendMail: SendJob | null;
    /** False where accounts sign in with Google only. */
    hasPasswords: boolean;
  },
): Feature {
  const sendMail = deps.hasPasswords ? deps.sendMail : null;
  const admit = async ({ request: { ip } }: { request: { ip: string } }): Promise<void> => {
    if (!deps.hasPasswords) throw notFound(signInMessages.emailOff);
    await deps.limits.admitAddress(ip);
  };

  return {
    bindRoutes(bind) {
      bind(contract.showInvitation, async ({ body }) => showInvitation(deps, body.token), { admit });
      bind(contract.acceptInvitation, async ({ body, request }) => acceptInvitation(deps, body, request), { admit });
      bind(contract.showPasswordReset, async ({ body }) => showPasswordReset(deps, body.token), { admit });
      bind(contract.resetPassword, async ({ body, request }) => resetPassword(deps, body, request), { admit });
      bind(contract.getPasswordResetOptions, async () => ({ available: sendMail !== null }), { slots: 'none' });
      bind(
        contract.requestPasswordReset,
        async ({ body, request }) => {
          if (sendMail !== null) await requestPasswordReset({ ...deps, sendMail }, body.email, request);
        },
        {
          admit: async (call) => {
            if (sendMail === null) throw notFound(contract.accountLinkMessages.resetOff);
            await admit(call);
          },
        },
      );
    },
  };
}
