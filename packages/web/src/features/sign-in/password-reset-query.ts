import { getPasswordResetOptions } from '@switchyard/contract/account-links';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';

/** Whether the console mails links for forgotten passwords. */
export const passwordResetQuery = queryOptions({
  queryKey: ['password-reset'],
  queryFn: ({ signal }) => call(getPasswordResetOptions, { signal, isSilent: true }),
  staleTime: Infinity,
  retry: false,
});
