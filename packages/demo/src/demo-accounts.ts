import type { Panel } from '@switchyard/contract/permissions';

/** Password of every demo account that may sign in, where only this machine reaches the console; documented and printed at the start. */
export const demoPassword = 'Demo-Switchyard-1';

/** The end of the e-mail address of demo accounts. */
export const demoEmailEnd = '.demo@switchyard.local';

export type DemoAccount = {
  name: string;
  email: string;
  panel: Panel;
  roleId: number;
  /** Whether the shared password opens it. The others only represent people. */
  signsIn: boolean;
  hasAccess: boolean;
  isQa: boolean;
  /** Bundles a staff account is restricted to; null for all apps. Buyers get theirs with the streams. */
  onlyApps: readonly string[] | null;
};

const staff = (name: string, local: string, roleId: number, onlyApps: readonly string[] | null = null): DemoAccount => ({
  name,
  email: local + demoEmailEnd,
  panel: 'user',
  roleId,
  signsIn: true,
  hasAccess: true,
  isQa: false,
  onlyApps,
});

const buyer = (name: string, local: string, roleId: number, marks: { signsIn?: boolean; hasAccess?: boolean } = {}): DemoAccount => ({
  name,
  email: local + demoEmailEnd,
  panel: 'buyer',
  roleId,
  signsIn: marks.signsIn ?? false,
  hasAccess: marks.hasAccess ?? true,
  isQa: roleId === 6,
  onlyApps: null,
});

/** One account for each of the seven roles, a restricted one, and buyers that the apps' traffic belongs to. */
export const demoAccounts: readonly DemoAccount[] = [
  staff('Olga Petrova', 'super', 1),
  staff('Adam Novak', 'admin', 2),
  staff('Marta Silva', 'manager', 3),
  staff('Tomas Weber', 'reviewer', 4),
  staff('Rita Lopez', 'restricted', 3, [
    'com.luckyharbor.app',
    'com.goalrush.app',
    'com.coinatlas.app',
    'com.derbynight.app',
    'com.slotsofavalon.app',
    'com.fruitfrenzyclassic.app',
  ]),
  buyer('Ivan Marsh', 'buyer', 5, { signsIn: true }),
  buyer('Quentin Adler', 'qa', 6, { signsIn: true }),
  buyer('Sofia Brandt', 'superbuyer', 7, { signsIn: true }),
  buyer('Leon Fischer', 'leon.fischer', 5),
  buyer('Nadia Haddad', 'nadia.haddad', 5),
  buyer('Priya Nair', 'priya.nair', 5),
  buyer('Diego Ramos', 'diego.ramos', 5),
  buyer('Chloe Martin', 'chloe.martin', 5, { hasAccess: false }),
];
