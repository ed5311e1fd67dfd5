import { expect, it } from 'vitest';
import { signInAs } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { encodeMailDomains } from './migrations/0016-sign-in-and-tokens.ts';

it('[IDN-119] an upgrade writes the domains of addresses in ASCII, except those that another account has', async () => {
  const { databases } = await createTestDatabase();
  const storedEmails = ['Olga@Bücher.example', 'olga@xn--mnchen-3ya.example', 'OLGA@münchen.example', 'plain@b.example', 'a@bad ü.example'];
  const ids: number[] = [];
  for (const email of storedEmails) {
    const { accountId } = await signInAs(databases, { role: 'Super Admin' });
    await databases.db.updateTable('accounts').set({ email }).where('id', '=', accountId).execute();
    ids.push(accountId);
  }
  await encodeMailDomains(databases.db);
  const rows = await databases.db.selectFrom('accounts').select('email').where('id', 'in', ids).orderBy('id').execute();
  expect(rows.map(({ email }) => email)).toEqual(['Olga@xn--bcher-kva.example', ...storedEmails.slice(1)]);
});
