import { botLabel, type RequestType } from '@switchyard/contract/requests';

/** Bits of a stored event: what counters and filters ask of it, so that roll-ups can answer them. */
export const flag = { error: 1, bot: 2, emptyPostbacksDomain: 4, qa: 8 } as const;
/** Every bit at once. */
export const allFlags = 15;

/** Fields from which the flags of an event follow. */
type FlagSource = { type: RequestType; error: unknown; bot: string; postbacks_domain: string; is_qa: boolean };

/**
 * Flags of an event. An error is a stored error or the type error; a bot is any blocking label, known or unknown.
 */
export function flagsOf(event: FlagSource): number {
  const blocked = event.bot !== '' && event.bot.split(' ').some((label) => botLabel(label).blocks);
  return (
    (event.type === 'error' || event.error !== null ? flag.error : 0) +
    (blocked ? flag.bot : 0) +
    (event.postbacks_domain === '' ? flag.emptyPostbacksDomain : 0) +
    (event.is_qa ? flag.qa : 0)
  );
}
