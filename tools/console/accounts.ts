/**
 * Accounts of the end-to-end tests. The demo has all but `catalogue`, which the global setup creates: a super admin who sees only
 * the demo's apps, so that a list stays as it is whatever other tests create.
 */
export const accounts = {
  super: { email: 'super.demo@switchyard.local', name: 'Olga Petrova' },
  manager: { email: 'manager.demo@switchyard.local', name: 'Marta Silva' },
  reviewer: { email: 'reviewer.demo@switchyard.local', name: 'Tomas Weber' },
  restricted: { email: 'restricted.demo@switchyard.local', name: 'Rita Lopez' },
  catalogue: { email: 'catalogue.journeys@switchyard.local', name: 'Clara Novak' },
  buyer: { email: 'buyer.demo@switchyard.local', name: 'Ivan Marsh' },
} as const;
export type AccountName = keyof typeof accounts;

/** Password of the accounts that the demo brings. */
export const password = 'Demo-Switchyard-1';

/** Password of the catalogue account: unlike the demo's, it has to pass the rules for new passwords. */
export const cataloguePassword = 'Journeys-Passw0rd';
