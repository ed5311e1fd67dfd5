import { Badge, Button } from '@mantine/core';
import { listAccountTokens, revokeToken, type AccountToken } from '@switchyard/contract/account-tokens';
import { useQueryClient } from '@tanstack/react-query';
import { groupSummary } from '../../../shared/accounts/permission-groups.ts';
import { call } from '../../../shared/api/call.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { accountTokensKey } from '../../../shared/tokens/account-tokens-key.ts';
import { askToRevoke } from '../../../shared/tokens/ask-to-revoke.ts';
import { appsText, permissionsOf } from '../../../shared/tokens/token-values.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { accountPartKey } from '../account-cache.ts';
import { AccountPart, type SessionsProps } from './account-sections.tsx';
import classes from './account-parts.module.css';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** The API tokens of the account, with their revocation, and the service accounts that it owns. */
export function TokensSection({ panel, account, isLocked }: SessionsProps) {
  const client = useQueryClient();
  const queryKey = accountPartKey(panel, account.id, 'tokens');
  const onRevoke = (token: AccountToken): void =>
    askToRevoke(token, {
      revoke: () => call(revokeToken, { params: { id: token.id } }),
      reload: () => Promise.all([queryKey, accountTokensKey].map((key) => client.invalidateQueries({ queryKey: key }))),
    });
  return (
    <AccountPart
      title="API tokens"
      summary="A new password, a new email address and a reset of the second factors revoke them."
      noun="API tokens"
      queryKey={queryKey}
      load={(signal) => call(listAccountTokens, { params: { id: account.id }, signal, isSilent: true })}
      isHidden={isLocked}
    >
      {(tokens) => <Tokens tokens={tokens} onRevoke={onRevoke} />}
    </AccountPart>
  );
}

const noFallbacks: readonly string[] = [];

function Tokens({ tokens, onRevoke }: { tokens: readonly AccountToken[]; onRevoke: (token: AccountToken) => void }) {
  const displayDate = useDisplayDate();
  const list = useFocusFallback<HTMLUListElement>(noFallbacks);
  if (tokens.length === 0) return <p className={classes['note']}>The account has no API tokens.</p>;
  return (
    <ul ref={list} className={classes['sessions']} aria-label="API tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <span className={classes['what']}>
            <VisibleText text={token.name} />
            {marksOf(token).map(([text, color]) => (
              <Badge key={text} color={color}>
                {text}
              </Badge>
            ))}
          </span>
          <span className="mono">swy_…{token.ends_with}</span>
          <span className={`${classes['from'] ?? ''} tabular`}>
            {groupSummary(permissionsOf(token))}. {appsText(token)}. {timesOf(token, displayDate)}
          </span>
          {token.kind === 'personal' && (
            <Writes>
              <Button
                className={classes['end'] ?? ''}
                variant="default"
                size="compact-sm"
                onClick={() => onRevoke(token)}
                aria-label={`Revoke ${withMarks(token.name)}`}
              >
                Revoke
              </Button>
            </Writes>
          )}
        </li>
      ))}
    </ul>
  );
}

function marksOf({ kind, is_expired: isExpired, expires_soon: isSoon }: AccountToken): (readonly [string, string])[] {
  return [
    ...(kind === 'service' ? [['Service account', 'neutral'] as const] : []),
    ...(isExpired ? [['Expired', 'danger'] as const] : []),
    ...(isSoon ? [['Expires soon', 'warning'] as const] : []),
  ];
}

function timesOf(
  { expires_at: expiry, is_expired: isExpired, last_used_at: lastUsedAt }: AccountToken,
  displayDate: (text: string) => string,
): string {
  const end = expiry === null ? 'Never expires' : `${isExpired ? 'Expired' : 'Expires'} ${displayDate(expiry)}`;
  return `${end}, ${lastUsedAt === null ? 'never used' : `last used ${displayDate(lastUsedAt)}`}.`;
}
