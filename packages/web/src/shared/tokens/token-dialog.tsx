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

/** The dialog that makes a token, and then shows it once. Nothing closes it meanwhile, because the token would never be shown. */
export function TokenDialog({ isOpen, title, mayNeverExpire, allAppsLabel, create, onClose }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  const mayClose = secret === null && !isCreating;
  const save = async (values: TokenValues): Promise<void> => {
    setIsCreating(true);
    try {
      setSecret(await create(values));
    } finally {
      setIsCreating(false);
    }
  };
  return (
    <Popup
      isOpen={isOpen}
      onClose={onClose}
      onClosed={() => setSecret(null)}
      title={secret === null ? title : 'New token'}
      width={secret === null ? 720 : 520}
      closeOnBackdrop={false}
      closeOnEscape={mayClose}
      hasCloseIcon={mayClose}
    >
      {secret === null ? (
        <TokenForm mayNeverExpire={mayNeverExpire} allAppsLabel={allAppsLabel} save={save} onClose={onClose} />
      ) : (
        <TokenSecret secret={secret} onDone={onClose} />
      )}
    </Popup>
  );
}
