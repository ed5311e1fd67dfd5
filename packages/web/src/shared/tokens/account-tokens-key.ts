import { listKey } from '../listing/list-key.ts';

/** Name of the list of API tokens of all accounts. */
export const accountTokensName = 'account-tokens';

/** Its cache key, which is invalidated by everything that revokes tokens. */
export const accountTokensKey = listKey(accountTokensName);
