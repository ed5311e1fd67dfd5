import { Button, Group, Text } from '@mantine/core';
import {
  removeFactor,
  renewRecoveryCodes,
  secondFactorMessages,
  type OwnFactors,
  type SecondFactor,
} from '@switchyard/contract/second-factors';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { FormSection } from '../../shared/form/form-section.tsx';
import { loadOwnFactors, ownFactorsKey } from '../../shared/session/own-factors.ts';
import { canUsePasskeys } from '../../shared/session/passkey.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { AddFactor } from './add-factor.tsx';
import { useOfferToEndOthers } from './other-sessions.ts';
import { RecoveryCodesPopup } from './recovery-codes.tsx';
import { RenameFactor } from './rename-factor.tsx';
import { UntilLoaded } from './until-loaded.tsx';
import classes from './second-factors.module.css';

const kindNames = { totp: 'Authenticator app', passkey: 'Passkey' } as const;
const kindIcons = { totp: IconDeviceMobile, passkey: IconFingerprint } as const;

/** The reader's second factors: what there is, adding, renaming and removing them, and the recovery codes. */
export function SecondFactors() {
  const client = useQueryClient();
  const query = useQuery({ queryKey: ownFactorsKey, queryFn: () => loadOwnFactors(false) });
  const { data } = query;
  const reload = (): void => void client.invalidateQueries({ queryKey: ownFactorsKey });
  return (
    <FormSection title="Second factor" summary="A second proof in addition to your password, so that a stolen password alone is useless.">
      <UntilLoaded query={query} what="Your second factors" />
      {data !== undefined && <Factors own={data} onChanged={reload} />}
    </FormSection>
  );
}

function Factors({
  own: { factors, recovery_codes_left: codesLeft, may_add: mayAdd },
  onChanged,
}: {
  own: OwnFactors;
  onChanged: () => void;
}) {
  const [adding, setAdding] = useState<SecondFactor['kind'] | null>(null);
  const [renamedFactor, setRenamed] = useState<SecondFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const offerToEndOthers = useOfferToEndOthers();

  const askToRemove = (factor: SecondFactor): void => {
    askConfirm({
      title: `Remove ${factor.name}?`,
      lines: [
        factors.length === 1
          ? 'It is your only second factor. From then on your password alone signs you in, and your recovery codes stop working.'
          : 'You can no longer sign in with it.',
      ],
      isDangerous: true,
      action: async () => {
        await call(removeFactor, { params: { id: factor.id } });
        notify({ type: 'success', message: `Second factor "${withMarks(factor.name)}" removed` });
        onChanged();
        offerToEndOthers();
      },
    });
  };
  const askForCodes = (): void => {
    askConfirm({
      title: 'Replace your recovery codes?',
      lines: ['You get ten new codes. The old ones stop working.'],
      action: async () => {
        const { data } = await call(renewRecoveryCodes);
        setCodes(data.recovery_codes);
        onChanged();
      },
    });
  };
  return (
    <>
      {factors.length === 0 ? (
        <p className={classes['empty']}>{mayAdd ? 'You have no second factor yet.' : secondFactorMessages.demo}</p>
      ) : (
        <ul className={classes['list']} aria-label="My second factors">
          {factors.map((factor) => (
            <Factor key={factor.id} factor={factor} onRename={() => setRenamed(factor)} onRemove={() => askToRemove(factor)} />
          ))}
        </ul>
      )}
      {factors.length > 0 && (
        <div className={classes['codes']}>
          <Text size="sm" c={codesLeft < 3 ? 'var(--sy-warning-text)' : 'dimmed'}>
            {codesLeft === 0
              ? 'No recovery codes are left.'
              : `${codesLeft} of 10 recovery codes are left. Each signs you in once without your device.`}
          </Text>
          <Button variant="default" size="xs" onClick={askForCodes}>
            New recovery codes
          </Button>
        </div>
      )}
      {mayAdd && (
        <Group gap="xs">
          <Button variant={factors.length === 0 ? 'filled' : 'default'} onClick={() => setAdding('totp')} data-focus-home>
            Add authenticator app
          </Button>
          {canUsePasskeys() && (
            <Button variant="default" onClick={() => setAdding('passkey')}>
              Add passkey
            </Button>
          )}
        </Group>
      )}
      <AddFactor kind="totp" isOpen={adding === 'totp'} onClose={() => setAdding(null)} onAdded={onChanged} />
      <AddFactor kind="passkey" isOpen={adding === 'passkey'} onClose={() => setAdding(null)} onAdded={onChanged} />
      <RenameFactor factor={renamedFactor} onClose={() => setRenamed(null)} onRenamed={onChanged} />
      <RecoveryCodesPopup
        codes={codes}
        onClose={() => {
          setCodes(null);
          offerToEndOthers();
        }}
      />
    </>
  );
}

function Factor({ factor, onRename, onRemove }: { factor: SecondFactor; onRename: () => void; onRemove: () => void }) {
  const displayDate = useDisplayDate();
  const KindIcon = kindIcons[factor.kind];
  const lastUse = factor.last_used_at === null ? 'not used yet' : `last used ${displayDate(factor.last_used_at)}`;
  return (
    <li className={classes['factor']}>
      <KindIcon size={20} stroke={1.6} aria-hidden />
      <div className={classes['about']}>
        <span className={classes['name']}>
          <VisibleText text={factor.name} />
        </span>
        <span className={classes['facts']}>
          {kindNames[factor.kind]}, added {displayDate(factor.created_at)}, {lastUse}
        </span>
      </div>
      <Group gap="xs" wrap="nowrap" className={classes['actions'] ?? ''}>
        <Button variant="default" size="xs" onClick={onRename} aria-label={`Rename ${factor.name}`}>
          Rename
        </Button>
        <Button variant="default" size="xs" onClick={onRemove} aria-label={`Remove ${factor.name}`}>
          Remove
        </Button>
      </Group>
    </li>
  );
}
