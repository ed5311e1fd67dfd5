import { botLabel } from '@switchyard/contract/requests';
import type { NewRequest } from './traffic-store.ts';

/** Bits of a stored request: what counters and filters ask of it, so that roll-ups can answer them. */
export const flag = { error: 1, bot: 2, emptyPostbacksDomain: 4, qa: 8 } as const;
/** Every bit at once. */
export const allFlags = 15;

/**
 * Flags of a request. An error is a stored error or the type error (AMB-133); a bot is any label that blocks,
 * known or not (O29).
 */
export function flagsOf(request: Pick<NewRequest, 'type' | 'error' | 'bot' | 'postbacksDomain' | 'isQa'>): number {
  const blocked = request.bot !== '' && request.bot.split(' ').some((label) => botLabel(label).blocks);
  return (
    (request.type === 'error' || request.error !== null ? flag.error : 0) +
    (blocked ? flag.bot : 0) +
    (request.postbacksDomain === '' ? flag.emptyPostbacksDomain : 0) +
    (request.isQa ? flag.qa : 0)
  );
}
