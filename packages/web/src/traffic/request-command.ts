import { writeExactly } from '@switchyard/contract/exact-json';
import { ingestedEvent, ingestEvents } from '@switchyard/contract/ingest';
import type { RequestRow } from '@switchyard/contract/requests';
import { escapeHidden } from '../shared/ui/hidden-characters.ts';

/** A text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A request as a traffic server would send it: storing it again changes nothing, because its id stays. What ingestion and lists call by
 * the same name is sent as it is shown.
 */
export function eventOf(row: RequestRow): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(Object.entries(row).filter(([name]) => name in ingestedEvent.shape)),
    id: row.uuid,
    date: `${row.concatenated_date.replace(' ', 'T')}Z`,
    stream_uid: row.stream?.uid ?? null,
    bot: row.bot.split(' ').filter((label) => label !== ''),
  };
}

/** The body of the ingestion call on one line; hidden characters are escaped, because a terminal would act on them. */
export function ingestBody(row: RequestRow): string {
  return escapeHidden(writeExactly({ events: [eventOf(row)] }));
}

/**
 * The shell command that sends a request to a console; the token comes from the environment. The body is piped, because a
 * command line takes at most 128 KiB.
 */
export function ingestCommand(row: RequestRow, origin: string): string {
  const call = [
    `  curl -X ${ingestEvents.method} ${shellQuoted(`${origin}/api/${ingestEvents.path}`)}`,
    `    -H "Authorization: Bearer $SWITCHYARD_TOKEN"`,
    `    -H 'Content-Type: application/json'`,
    `    --data-binary @-`,
  ];
  return `printf %s ${shellQuoted(ingestBody(row))} |\n${call.join(' \\\n')}`;
}
