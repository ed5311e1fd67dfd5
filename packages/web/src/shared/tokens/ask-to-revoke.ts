import type { ApiToken } from '@switchyard/contract/api-tokens';
import { askConfirm } from '../ui/confirm.tsx';
import { withMarks } from '../ui/hidden-characters.ts';
import { notify } from '../ui/notifications/notification-center.ts';

type Revocation = {
  revoke: () => Promise<unknown>;
  /** Also runs after a failure: a token that was revoked meanwhile returns 404, and the reloaded list no longer has it. */
  reload: () => Promise<unknown>;
};

/** Revokes a token after a confirmation. */
export function askToRevoke({ name }: Pick<ApiToken, 'name'>, { revoke, reload }: Revocation): void {
  askConfirm({
    title: `Revoke ${name}?`,
    lines: ['Programs that use this token can no longer make calls.'],
    isDangerous: true,
    action: async () => {
      try {
        await revoke();
        notify({ type: 'success', message: `${withMarks(name)} has been revoked` });
      } finally {
        await reload();
      }
    },
  });
}
