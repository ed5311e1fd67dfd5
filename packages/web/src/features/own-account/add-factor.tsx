import type { SecondFactor } from '@switchyard/contract/second-factors';
import { useState } from 'react';
import { Popup } from '../../shared/ui/popup.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { AddTotp } from './add-totp.tsx';
import { useOfferToEndOthers } from './other-sessions.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const forms = {
  totp: { title: 'Add authenticator app', Form: AddTotp },
  passkey: { title: 'Add passkey', Form: AddPasskey },
} as const;

type Props = { kind: SecondFactor['kind']; isOpen: boolean; onClose: () => void; onAdded: () => void };

/** The dialog that adds a second factor, and then shows the recovery codes if it is the first one. */
export function AddFactor({ kind, isOpen, onClose, onAdded }: Props) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { title, Form } = forms[kind];
  const offerToEndOthers = useOfferToEndOthers();
  const leave = (): void => {
    onClose();
    offerToEndOthers();
  };
  const finish = (recoveryCodes: readonly string[] | null): void => {
    onAdded();
    if (recoveryCodes === null) leave();
    else setCodes(recoveryCodes);
  };
  return (
    <Popup
      isOpen={isOpen}
      onClose={onClose}
      onClosed={() => setCodes(null)}
      title={codes === null ? title : 'Recovery codes'}
      closeOnBackdrop={false}
      closeOnEscape={codes === null}
      hasCloseIcon={codes === null}
    >
      {codes === null ? <Form onAdded={finish} onClose={onClose} /> : <RecoveryCodes codes={codes} onDone={leave} />}
    </Popup>
  );
}
