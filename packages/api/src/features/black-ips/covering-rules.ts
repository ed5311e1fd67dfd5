import type { CoveringRule } from '@switchyard/contract/black-list';
import type * as contract from '@switchyard/contract/black-list';
import { wireDate } from '@switchyard/contract/dates';
import type { Block } from '@switchyard/contract/request-by-id';
import { rulesOfBlock } from '@switchyard/contract/subjects';
import { addressRange } from '@switchyard/traffic-store/event-search';
import type { AccountCall, Call } from '../../http/bind.ts';
import { asnsOf } from '../subjects/asns-lookup.ts';
import { findBlocks, findBlocksInside, findBlocksOfAsn } from '../subjects/blocks-lookup.ts';
import type { BlackListDeps } from './black-list-commands.ts';
import { listEntriesNamed } from './black-list-store.ts';

/** The rules that block an address, a network or an autonomous system, in the order in which traffic servers apply them. */
export async function listCoveringRules(
  { db, now }: Pick<BlackListDeps, 'db' | 'now'>,
  { query: { entry }, caller }: AccountCall & Pick<Call<typeof contract.listCoveringRules>, 'query'>,
): Promise<{ entry: string; rules: CoveringRule[]; total: number }> {
  const at = { permissions: caller.account.permissions, now: now() };
  const { rules, total } = await findRules();
  const listed = await listEntriesNamed(
    db,
    rules.map(({ target }) => target),
    at.now,
  );
  const entries = new Map(listed.map((row) => [row.entry, row]));
  return {
    entry,
    total,
    rules: rules.map((rule) => {
      const row = entries.get(rule.target);
      return { ...rule, source: row?.source ?? '', expires_at: wireDate(row?.expires_at ?? null) };
    }),
  };

  async function findRules(): Promise<{ rules: Block[]; total: number }> {
    if (entry.startsWith('AS')) {
      const bans = await findBlocksOfAsn(db, Number(entry.slice(2)), at);
      return { rules: bans, total: bans.length };
    }
    const range = entry.includes('/') ? addressRange(entry) : null;
    if (range !== null) return findBlocksInside(db, range, { ...at, limit: rulesOfBlock });
    const blocks = (await findBlocks(db, await asnsOf(db, [entry]), at)).get(entry) ?? [];
    return { rules: blocks, total: blocks.length };
  }
}
