import { rejects } from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { acceptInvitation, requestPasswordReset } from '@switchyard/contract/account-links';
import { createOwnToken, createServiceAccount } from '@switchyard/contract/api-tokens';
import { listApps } from '@switchyard/contract/apps';
import { createBuyer } from '@switchyard/contract/buyers';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import { getConsentUrl, signInWithGoogle } from '@switchyard/contract/google-sign-in';
import { inviteUser } from '@switchyard/contract/invitations';
import { permissionId } from '@switchyard/contract/permissions';
import { createRole, updateRole } from '@switchyard/contract/roles';
import {
  beginPasskey,
  beginPasskeySignIn,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  finishSignIn,
  signInWithPasskey,
} from '@switchyard/contract/second-factors';
import { switchSecurityMail } from '@switchyard/contract/security-mails';
import { signIn } from '@switchyard/contract/session';
import { saveSignInRules } from '@switchyard/contract/sign-in-rules';
import { createUser } from '@switchyard/contract/users';
import { viewAsRole } from '@switchyard/contract/view-as';
import type { GoogleProvider } from '../../packages/api/test/google-provider.ts';
import type { MailServer } from '../../packages/api/test/mail-server.ts';
import { createSoftwareAuthenticator } from '../../packages/api/test/software-authenticator.ts';
import { callEndpoint as call, type Caller } from '../console/call-endpoint.ts';
import { until } from './until.ts';

/** Password of the accounts that are created. */
const password = 'Upgrade-Passw0rd';

/** Text with markup, SQL, hidden and bidirectional characters. */
export const hostileText = `"><script>alert(1)</script>'; drop table apps; -- \u202Egnp.exe\u200B 你好 ẞßςΣ`;

/** A text of the greatest length that a field takes. */
export function longText(characters: number): string {
  return 'Straße 東京 '
    .repeat(characters)
    .slice(0, characters - 1)
    .concat('Z');
}

export type People = {
  /** Sees all apps and has second factors. */
  mate: Caller & { id: number };
  /** Shares reports, and is deleted later. */
  leaver: Caller & { id: number };
  roleId: number;
  buyerEmail: string;
};

/** Signs in an account without a second factor. */
export async function signInAs(from: Caller, email: string, typedPassword = password): Promise<Caller> {
  const answer = await call(from, signIn, { body: { email, password: typedPassword } });
  if ('second_factor' in answer) throw new Error(`${email} has a second factor`);
  return { ...from, token: answer.token.accessToken };
}

/** Creates roles and accounts: limited to some apps, invited, with second factors, tokens, and sessions from several networks. */
export async function fillAccounts(admin: Caller, mail: MailServer): Promise<People> {
  const [statistics, edit] = [permissionId('manager_app_statistics'), permissionId('manager_app_edit')];
  const role = await call(admin, createRole, { body: { name: hostileText.slice(0, 60), permission_ids: [statistics], panel: 'user' } });
  await call(admin, updateRole, { params: { id: role.id }, body: { permission_ids: [statistics, edit] } });
  await call(admin, saveSignInRules, { body: { all_staff: false, role_ids: [role.id] } });
  const [first, second] = await call(admin, listApps, { query: { limit: 2 } });
  const appIds = [first, second].flatMap((app) => app?.id ?? []);
  const create = (body: Omit<BodyInputOf<typeof createUser>, 'password'>) => call(admin, createUser, { body: { ...body, password } });
  const mate = await create({ name: 'Mate', email: 'mate@example.com', roles: ['Super Admin', role.id] });
  const leaver = await create({ name: hostileText.slice(0, 100), email: 'leaver@example.com', roles: ['Super Admin'] });
  await create({ name: longText(100), email: 'limited@example.com', roles: ['App Manager'], appIds });
  const buyer = await call(admin, createBuyer, {
    body: { name: 'Büyer', email: 'buyer@exämple.com', password, roles: ['Buyer'] },
  });
  for (const name of ['invited', 'accepted'])
    await call(admin, inviteUser, { body: { name, email: `${name}@example.com`, roles: ['Log Reviewer'] } });
  const token = await until('an invitation', async () => /invitation#([\w-]+)/.exec(mail.newest('accepted@example.com'))?.[1] ?? null);
  await call({ url: admin.url }, acceptInvitation, { body: { token, password } });
  const session = await signInAs({ url: admin.url, address: '198.51.100.7' }, mate.email);
  await addFactors(session, mate.email);
  return {
    mate: { ...session, id: mate.id },
    leaver: { ...(await signInAs({ url: admin.url, address: '2001:db8:5::9' }, leaver.email)), id: leaver.id },
    roleId: role.id,
    buyerEmail: buyer.email,
  };
}

/** Adds an authenticator app and a passkey, and signs in with a recovery code and with the passkey. */
async function addFactors(caller: Caller, email: string): Promise<void> {
  const totp = await call(caller, beginTotp);
  const code = TOTP.generate({ secret: Secret.fromBase32(totp.secret) });
  const added = await call(caller, confirmTotp, { body: { challenge: totp.challenge, code, name: hostileText.slice(0, 60) } });
  const authenticator = createSoftwareAuthenticator(caller.url);
  const passkey = await call(caller, beginPasskey);
  await call(caller, confirmPasskey, {
    body: { challenge: passkey.challenge, passkey: authenticator.create(passkey.options), name: 'Laptop' },
  });
  const from = { url: caller.url, address: '203.0.113.40' };
  const answer = await call(from, signIn, { body: { email, password } });
  if (!('second_factor' in answer)) throw new Error('No second step was asked for');
  const [recovery_code = ''] = added.recovery_codes ?? [];
  await call(from, finishSignIn, { body: { challenge: answer.second_factor.challenge, recovery_code } });
  const begun = await call(from, beginPasskeySignIn);
  await call(from, signInWithPasskey, { body: { challenge: begun.challenge, passkey: authenticator.use(begun.options) } });
}

/** Leaves what is under way and ends within minutes: sign-ins half done, links, a view as a role, counts of calls. */
export async function beginSignIns(admin: Caller, { mate, roleId }: People, google: GoogleProvider): Promise<void> {
  const from = { url: admin.url, address: '203.0.113.41' };
  const consent = await call(from, getConsentUrl);
  await call(from, signInWithGoogle, { body: await google.consent(consent.url) });
  await call(from, getConsentUrl);
  await rejects(call(from, signIn, { body: { email: 'mate@example.com', password: 'Wrong-Passw0rd' } }), { status: 401 });
  await call(from, signIn, { body: { email: 'mate@example.com', password } });
  await call(from, requestPasswordReset, { body: { email: 'limited@example.com' } });
  await call(admin, viewAsRole, { params: { id: roleId } });
  await call(mate, switchSecurityMail, { body: { event: 'new_network', is_on: false } });
  const rights = { permission_ids: [permissionId('manager_app_edit')], has_all_apps: true };
  const { secret } = await call(mate, createOwnToken, { body: { ...rights, name: hostileText.slice(0, 60), expires_in_days: 30 } });
  await call({ ...from, token: secret }, listApps);
  await call(admin, createServiceAccount, {
    body: { ...rights, name: 'Nightly', networks: ['10.0.0.0/8', '2001:db8::/32'], expires_in_days: null },
  });
}
