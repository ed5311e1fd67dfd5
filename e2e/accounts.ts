/** Accounts of the demo that the journeys use; the demo prints them at its start. */
export const accounts = {
  super: { email: 'super.demo@switchyard.local', name: 'Olga Petrova' },
  manager: { email: 'manager.demo@switchyard.local', name: 'Marta Silva' },
  reviewer: { email: 'reviewer.demo@switchyard.local', name: 'Tomas Weber' },
  restricted: { email: 'restricted.demo@switchyard.local', name: 'Rita Lopez' },
  buyer: { email: 'buyer.demo@switchyard.local', name: 'Ivan Marsh' },
} as const;
export type AccountName = keyof typeof accounts;

/** Password of every demo account. */
export const password = 'Demo-Switchyard-1';
