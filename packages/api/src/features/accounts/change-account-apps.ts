import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { FieldErrors } from '../../errors.ts';
import { detachDenial } from '../access-rules/account-rules-lookup.ts';
import { appsAfter } from '../access-rules/app-rules-lookup.ts';
import { refuse } from '../access-rules/denial-lookup.ts';
import type { ShownAccount } from './account-mapper.ts';
import { changeAccount, type WriteCall, type WriteDependencies } from './write-account.ts';

const actions = { set: 'sync_apps', add: 'attach_apps', remove: 'detach_app' } as const;

/** Sets, adds or takes apps of an account of either panel (api [53] to [55], AMB-171, AMB-173). */
export async function changeAccountApps(
  deps: WriteDependencies,
  { kind, ids, ...call }: WriteCall & { id: number; kind: keyof typeof actions; ids: readonly number[] },
): Promise<ShownAccount> {
  const apps = { kind, ids };
  const changed = await changeAccount(deps, { ...call, apps, action: actions[kind] }, ({ writer, knownApps, stored, before }) => {
    if (kind === 'remove') refuse(detachDenial(before.apps));
    const unknown = writer.scope === 'all' ? ids.find((id) => !knownApps.has(id)) : undefined;
    if (unknown !== undefined) throw new FieldErrors({ appIds: [unknownIdMessage('appIds', unknown)] });
    return { after: { ...before, apps: appsAfter({ scope: writer.scope, panel: stored.panel, before: before.apps, call: apps }) } };
  });
  if (changed === null) throw new Error(`Account ${call.id} was deleted by a change of its apps`);
  return changed;
}
