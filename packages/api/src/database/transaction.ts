import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A write under way: services pass it on to the stores and to the audit trail, so that all of it is kept or nothing. */
export type OpenTransaction = Transaction<Tables>;
