import type { ApiToken } from '@switchyard/contract/api-tokens';
import { askToChange } from '../ui/confirm.tsx';
import { withMarks } from '../ui/hidden-characters.ts';

type Revocation = {
  revoke: () => Promise<unknown>;
  reload: () => Promise<unknown>;
};

/** Revokes a token after a confirmation. */
export function askToRevoke({ name }: Pick<ApiToken, 'name'>, { revoke, reload }: Revocation): void {
  askToChange({
    title: `Revoke ${name}?`,
    lines: ['Programs that use this token can no longer make calls.'],
    change: revoke,
    doneMessage: `${withMarks(name)} has been revoked`,
    reload,
  });
}
