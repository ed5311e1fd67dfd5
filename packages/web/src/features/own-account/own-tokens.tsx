import { Badge, Button, Group } from '@mantine/core';
import { createOwnToken, listOwnTokens, revokeOwnToken, type ApiToken } from '@switchyard/contract/api-tokens';
import { IconKey } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { groupSummary } from '../../shared/accounts/permission-groups.ts';
import { call, failingInPlace } from '../../shared/api/call.ts';
import { FormSection } from '../../shared/form/form-section.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { TokenDialog } from '../../shared/tokens/token-dialog.tsx';
import { askToRevoke } from '../../shared/tokens/ask-to-revoke.ts';
import { appsText, permissionsOf, tokenBody, type TokenValues } from '../../shared/tokens/token-values.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { UntilLoaded } from './until-loaded.tsx';
import classes from './second-factors.module.css';

const tokensKey = ['own-tokens'];

/** The reader's API tokens: what each may do and when it was used, making and revoking them. */
export function OwnTokens() {
  const client = useQueryClient();
  const query = useQuery({ queryKey: tokensKey, queryFn: () => call(listOwnTokens) });
  const { data } = query;
  const [isAdding, setIsAdding] = useState(false);
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: tokensKey });

  const create = async (values: TokenValues): Promise<string> => {
    const body = { ...tokenBody(values), expires_in_days: values.days ?? 90 };
    const { data: createdToken } = await call(createOwnToken, { body, ...failingInPlace });
    await reload();
    return createdToken.secret;
  };
  const onRevoke = (token: ApiToken): void =>
    askToRevoke(token, { revoke: () => call(revokeOwnToken, { params: { id: token.id } }), reload });
  return (
    <FormSection title="API tokens" summary="Programs use them to call the API on your behalf, with the permissions that you choose.">
      <UntilLoaded query={query} what="Your API tokens" />
      {data?.data.length === 0 && <p className={classes['empty']}>You have no API tokens yet.</p>}
      {data !== undefined && data.data.length > 0 && (
        <ul className={classes['list']} aria-label="My API tokens">
          {data.data.map((token) => (
            <Token key={token.id} token={token} onRevoke={() => onRevoke(token)} />
          ))}
        </ul>
      )}
      {data !== undefined && (
        <Group gap="xs">
          <Button variant="default" onClick={() => setIsAdding(true)} data-focus-home>
            Create API token
          </Button>
        </Group>
      )}
      <TokenDialog
        isOpen={isAdding}
        title="Create API token"
        mayNeverExpire={false}
        allAppsLabel="All apps that I see, including future ones"
        create={create}
        onClose={() => setIsAdding(false)}
      />
    </FormSection>
  );
}

function Token({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const displayDate = useDisplayDate();
  const { expires_at: expires, last_used_at: lastUsedAt, last_used_ip: ip, networks } = token;
  const use = lastUsedAt === null ? 'Not used yet' : `Last used ${displayDate(lastUsedAt)}${ip === null ? '' : ` from ${ip}`}`;
  return (
    <li className={classes['factor']}>
      <IconKey size={20} stroke={1.6} aria-hidden />
      <div className={classes['about']}>
        <span className={classes['name']}>
          <VisibleText text={token.name} /> {token.is_expired && <Badge color="danger">Expired</Badge>}
        </span>
        <span className={classes['facts']}>
          <span className="mono">swy_…{token.ends_with}</span>
          {expires !== null && `, ${token.is_expired ? 'expired' : 'expires'} ${displayDate(expires)}`}
        </span>
        <span className={classes['facts']}>
          {groupSummary(permissionsOf(token))}. {appsText(token)}.{networks.length > 0 && ` From ${networks.join(', ')}.`}
        </span>
        <span className={classes['facts']}>{use}</span>
      </div>
      <Group gap="xs" wrap="nowrap" className={classes['actions'] ?? ''}>
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={`Revoke ${withMarks(token.name)}`}>
          Revoke
        </Button>
      </Group>
    </li>
  );
}
