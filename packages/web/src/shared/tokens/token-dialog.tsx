import { useState } from 'react';
import { Popup } from '../ui/popup.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenSecret } from './token-secret.tsx';
import type { TokenValues } from './token-values.ts';

type Props = {
  isOpen: boolean;
  title: string;
  mayNeverExpire: boolean;
  allAppsLabel: string | null;
  /** Makes the token and gives its text. */
  create: (values: TokenValues) => Promise<string>;
  onClose: () => void;
};

/** The dialog that makes a token, and then shows it once. */
export function TokenDialog({ isOpen, title, mayNeverExpire, allAppsLabel, create, onClose }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Popup
      isOpen={isOpen}
      onClose={onClose}
      onClosed={() => setSecret(null)}
      title={secret === null ? title : 'New token'}
      width={secret === null ? 720 : 520}
      closeOnBackdrop={false}
      closeOnEscape={secret === null}
      hasCloseIcon={secret === null}
    >
      {secret === null ? (
        <TokenForm
          mayNeverExpire={mayNeverExpire}
          allAppsLabel={allAppsLabel}
          save={async (values) => setSecret(await create(values))}
          onClose={onClose}
        />
      ) : (
        <TokenSecret secret={secret} onDone={onClose} />
      )}
    </Popup>
  );
}
