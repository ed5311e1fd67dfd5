import { Button, PasswordInput } from '@mantine/core';
import { newServerToken, serverFieldCharacters, minimumTokenLength } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { useState } from 'react';
import { textControl } from '../../shared/entities/entity-fields.tsx';
import { type FormFields } from '../../shared/entities/entity-form.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { CopyBox } from '../../shared/ui/copy.tsx';
import { allAppsOnly, useSecretDates, type ServerValues } from './server-model.ts';
import classes from './secret-fields.module.css';

type Props = {
  isLocked: boolean;
  server: TrafficServer | undefined;
  field: FormFields<TrafficServer, ServerValues>['field'];
};

/** Token, main hash and hash, which are write-only. */
export function SecretFields({ isLocked, server, field }: Props) {
  const displayDate = useDisplayDate();
  const dates = useSecretDates(server?.id);
  const [generatedToken, setGenerated] = useState<string | null>(null);
  const state = (isSet: boolean | undefined, at: string | null | undefined): string | undefined => {
    if (server === undefined) return undefined;
    if (isSet !== true) return 'Not set.';
    return `${typeof at === 'string' ? `Set on ${displayDate(at)}` : 'Set'}. Leave empty to keep it.`;
  };
  const tokenState = state(server?.has_token, dates?.token_set_at);
  const tokenUse = `The server authenticates with it. It needs at least ${minimumTokenLength} characters.`;
  const token = field('token');
  const secret = { maxLength: serverFieldCharacters.secret, autoComplete: 'new-password' };
  return (
    <FormSection title="Secrets" summary={isLocked ? allAppsOnly : 'They are stored encrypted and never shown again.'} isLocked={isLocked}>
      <div className={classes['token']}>
        <PasswordInput
          description={tokenState === undefined ? tokenUse : `${tokenState} ${tokenUse} A new one replaces it at once.`}
          {...textControl(token)}
          maxLength={serverFieldCharacters.token}
          autoComplete="new-password"
        />
        <Button
          variant="default"
          onClick={() => {
            const newToken = newServerToken();
            setGenerated(newToken);
            token.onChange(newToken);
          }}
        >
          Generate token
        </Button>
      </div>
      {generatedToken !== null && generatedToken === token.value && (
        <div role="note" aria-label="New token">
          <p className={classes['hint']}>Copy it now and give it to the server: it is never shown again after saving.</p>
          <CopyBox label="Token" text={generatedToken} />
        </div>
      )}
      <PasswordInput description={state(server?.has_main_hash, dates?.main_hash_set_at)} {...textControl(field('mainHash'))} {...secret} />
      <PasswordInput description={state(server?.has_hash, dates?.hash_set_at)} {...textControl(field('hash'))} {...secret} />
    </FormSection>
  );
}
