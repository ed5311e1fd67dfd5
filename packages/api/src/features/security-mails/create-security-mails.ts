import { listSecurityMails, switchSecurityMail } from '@switchyard/contract/security-mails';
import type { Feature } from '../../http/bind.ts';
import { listOwnMails, switchOwnMail, type OwnMailsDependencies } from './security-mail-commands.ts';

/** Calls on the mails that inform callers of events of their accounts. */
export function createSecurityMails(deps: OwnMailsDependencies): Feature {
  return {
    bindRoutes(bind) {
      bind(listSecurityMails, async ({ caller }) => listOwnMails(deps, caller));
      bind(switchSecurityMail, async (call) => switchOwnMail(deps, call));
    },
  };
}
