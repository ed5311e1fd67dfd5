import type { ViewList } from '@switchyard/contract/saved-views';
import type { MailWords } from './write-mail.ts';

/** A mail about a list that the demo keeps in its inbox, because it has no mail server. Its file is not kept. */
export type KeptMail = {
  id: string;
  words: MailWords;
  list: ViewList;
  attachment: { filename: string; content: Buffer } | null;
};

/** Keeps a mail; one with the same id is kept once. Throws if there is no inbox. */
export type KeepMail = (mail: KeptMail) => Promise<void>;
