import { Button, Textarea } from '@mantine/core';
import { useState, type ComponentProps, type ComponentType } from 'react';
import { Block } from './block.tsx';
import { CopyButton } from './copy-button.tsx';
import { curlCommand } from './curl-command.ts';
import { DecodedAnswer } from './decoded-answer.tsx';
import classes from './dev-doc.module.css';
import { DomainChoice } from './domain-choice.tsx';
import type { AppChannel } from './query-frame/ask-frame.ts';
import { QueryFrame } from './query-frame/query-frame.tsx';
import { useExchange } from './use-exchange.ts';

type Props = {
  /** What is sent; null: nothing is encoded. */
  encoded: string | null;
  /** What sends; tests give their own. */
  Frame?: ComponentType<ComponentProps<typeof QueryFrame>>;
};

type Route = { readonly kind: 'loading' | 'failed' } | { readonly kind: 'open'; readonly channel: AppChannel };

/** Sends the encoded request to the domain of an app and decodes what comes back (DEV-006 to DEV-009, DEV-018 to DEV-021). */
export function Query({ encoded, Frame = QueryFrame }: Props) {
  const [domain, setDomain] = useState<string>();
  const [tries, setTries] = useState(0);
  const [route, setRoute] = useState<Route>({ kind: 'loading' });
  const exchange = useExchange();
  const { running } = exchange;
  const channel = domain !== undefined && route.kind === 'open' ? route.channel : null;

  function reload(next: string | undefined): void {
    setDomain(next);
    setRoute({ kind: 'loading' });
    setTries(tries + 1);
  }

  return (
    <Block title="Query" summary="Sends the encoded result from this browser to an app, without your session, and decodes the answer.">
      <div className={classes['choice']}>
        <DomainChoice value={domain} onChange={reload} isDisabled={running === 'send'} />
        <Button
          disabled={encoded === null || channel === null}
          aria-busy={running === 'send' || undefined}
          onClick={() => {
            if (channel !== null && domain !== undefined && encoded !== null) void exchange.send(channel, domain, encoded);
          }}
        >
          {running === 'send' ? 'Sending' : 'Send'}
        </Button>
      </div>
      {domain !== undefined && (
        <Frame
          key={`${domain} ${tries}`}
          domain={domain}
          onChannel={(opened) => setRoute(opened === null ? { kind: 'failed' } : { kind: 'open', channel: opened })}
        />
      )}
      <div className={classes['actions']}>
        <CopyButton
          label="Copy as cURL"
          text={encoded === null || channel === null ? null : curlCommand(channel.address, encoded)}
          isCommand
        />
        {channel !== null && <span className={classes['address']}>{channel.address}</span>}
        {domain !== undefined && route.kind === 'failed' && (
          <span className={classes['note']}>
            Nothing can be sent to this domain.{' '}
            <Button size="compact-xs" variant="default" onClick={() => reload(domain)}>
              Try again
            </Button>
          </span>
        )}
      </div>
      <Textarea
        label="Encoded answer"
        placeholder="Comes with the answer; any other encoded text can be put here too"
        rows={4}
        resize="vertical"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes['code'] ?? '' }}
        value={exchange.text}
        error={exchange.error}
        readOnly={running !== null}
        onChange={(event) => exchange.change(event.currentTarget.value)}
      />
      <div className={classes['actions']}>
        <Button
          variant="default"
          disabled={exchange.text.trim() === ''}
          aria-busy={running === 'decode' || undefined}
          onClick={() => void exchange.decode()}
        >
          Decode
        </Button>
      </div>
      <DecodedAnswer lines={exchange.lines} />
    </Block>
  );
}
