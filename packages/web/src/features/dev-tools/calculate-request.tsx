import { Button, Textarea } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { Block } from './block.tsx';
import { CopyButton } from './copy-button.tsx';
import classes from './dev-doc.module.css';
import { useEncoding } from './use-encoding.ts';

type Props = {
  /** What the input was encoded to; null: nothing yet, or no longer. */
  encoded: string | null;
  onEncoded: (encoded: string | null) => void;
};

/** Encodes JSON as devices send it, on the button or on Enter (DEV-003 to DEV-005, DEV-013 to DEV-017, AMB-158). */
export function CalculateRequest({ encoded, onEncoded }: Props) {
  const { typed, change, error, isBodyRequest, isBusy, encode } = useEncoding(onEncoded);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void encode();
  };
  return (
    <Block title="Calculate Request" summary="Encodes a request as a device sends it, with the key of this console.">
      <Textarea
        label="JSON"
        description="Enter encodes, Shift+Enter begins a new line. A body_request is taken by itself."
        placeholder={'{"gaid": "7c1e"}'}
        rows={9}
        resize="vertical"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        value={typed}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={classes['actions']}>
        <Button onClick={() => void encode()} disabled={typed.trim() === ''} aria-busy={isBusy || undefined}>
          Encode
        </Button>
        {isBodyRequest && <span className={classes['note']}>body_request was encoded</span>}
      </div>
      <Textarea
        label="Encoded result"
        placeholder="Nothing encoded yet"
        rows={4}
        resize="vertical"
        readOnly
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        value={encoded ?? ''}
      />
      <div className={classes['actions']}>
        <CopyButton label="Copy" text={encoded} />
      </div>
    </Block>
  );
}
