import { Button, Group, Stack, Text } from '@mantine/core';
import { listOwnFactors, type SecondFactor } from '@switchyard/contract/second-factors';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { useStore } from '../../shared/external-store.ts';
import { factorRequest } from '../../shared/session/factor-request.ts';
import { ownFactorsKey } from '../../shared/session/own-factors.ts';
import { canUsePasskeys } from '../../shared/session/passkey.ts';
import { signOut } from '../../shared/session/sign-out.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { unsavedWork } from '../../shared/unsaved-work.ts';
import { AddPasskey } from './add-passkey.tsx';
import { AddTotp } from './add-totp.tsx';
import { useOfferToEndOthers } from './other-sessions.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type Step = 'choice' | SecondFactor['kind'] | { codes: readonly string[] };

const ignore = (): void => undefined;
const titles = { choice: 'Set up a second factor', totp: 'Add authenticator app', passkey: 'Add passkey' } as const;

/**
 * The screen of an account that first has to set up a second factor. It covers the page, which keeps its input; only a second
 * factor or signing out closes it.
 */
export function FactorDue() {
  const client = useQueryClient();
  const request = useStore(factorRequest);
  const [step, setStep] = useState<Step>('choice');
  const isMet = useIsRuleMet(request !== null && step === 'choice');
  useEffect(() => {
    if (isMet) request?.settle(true);
  }, [isMet, request]);

  const offerToEndOthers = useOfferToEndOthers();

  const leave = (): void => {
    request?.settle(true);
    offerToEndOthers();
  };
  const finish = (codes: readonly string[] | null): void => {
    void client.invalidateQueries({ queryKey: ownFactorsKey });
    if (codes === null) leave();
    else setStep({ codes });
  };
  const back = (): void => setStep('choice');
  return (
    <Popup
      isOpen={request !== null}
      onClose={ignore}
      onClosed={back}
      title={typeof step === 'string' ? titles[step] : 'Recovery codes'}
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
      isOnTop
    >
      {step === 'choice' && <Choice onChoose={setStep} onSignedOut={() => request?.settle(false)} />}
      {step === 'totp' && <AddTotp onAdded={finish} onClose={back} />}
      {step === 'passkey' && <AddPasskey onAdded={finish} onClose={back} />}
      {typeof step !== 'string' && <RecoveryCodes codes={step.codes} onDone={leave} />}
    </Popup>
  );
}

/** Whether the account has a second factor meanwhile, or needs none any more: another tab or person may have seen to that. */
function useIsRuleMet(isAsked: boolean): boolean {
  const user = useSessionUser();
  const { data } = useQuery({
    queryKey: ['factor-due', user?.id],
    queryFn: ({ signal }) => call(listOwnFactors, { signal, isSilent: true }),
    enabled: isAsked && user !== null,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
  });
  return isAsked && data !== undefined && (data.data.factors.length > 0 || !data.data.required);
}

function Choice({ onChoose, onSignedOut }: { onChoose: (kind: SecondFactor['kind']) => void; onSignedOut: () => void }) {
  const leave = (): void => {
    signOut();
    onSignedOut();
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        Your account must have a second factor in addition to the password. Add one to continue. The page stays as it is.
      </Text>
      <Button onClick={() => onChoose('totp')} data-autofocus>
        Add authenticator app
      </Button>
      {canUsePasskeys() && (
        <Button variant="default" onClick={() => onChoose('passkey')}>
          Add passkey
        </Button>
      )}
      <Group justify="space-between" gap="xs">
        <Text c="dimmed" size="xs">
          {unsavedWork.isHeld() ? 'Signing out loses the unsaved changes of this page.' : 'Or sign out and do it later.'}
        </Text>
        <Button variant="subtle" onClick={leave}>
          Sign out
        </Button>
      </Group>
    </Stack>
  );
}
