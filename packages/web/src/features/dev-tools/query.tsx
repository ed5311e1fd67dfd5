import { Button, Textarea } from '@mantine/core';
import { useState, type ComponentProps, type ComponentType, useId } from 'react';
import { Block } from './block.tsx';
import { CopyButton, CopyIcon } from '../../shared/ui/copy.tsx';
import classes from './dev-doc.module.css';
import { type AppChannel, QueryFrame } from './query-frame/query-frame.tsx';
import { useExchange } from './use-exchange.ts';
import { shownDomain } from '@switchyard/contract/host-name';
import type { PickedApp } from '@switchyard/contract/pick-lists';
import { allApps } from '../../shared/accounts/pick-sources.ts';
import type { OptionSource } from '../../shared/ui/option-source.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { RetryNote } from '../../shared/ui/retry.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';

type QueryProps = {
  /** The encoded request; null when nothing is encoded. */
  encodedText: string | null;
  /** The frame that sends; tests replace it. */
  Frame?: ComponentType<ComponentProps<typeof QueryFrame>>;
};

type Route = { readonly kind: 'loading' | 'failed' } | { readonly kind: 'open'; readonly channel: AppChannel };

/** Sends the encoded request to the domain of an app and decodes the answer. */
export function Query({ encodedText, Frame = QueryFrame }: QueryProps) {
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
        <Writes>
          <Button
            disabled={encodedText === null || channel === null}
            aria-busy={running === 'send' || undefined}
            onClick={() => {
              if (channel !== null && domain !== undefined && encodedText !== null) void exchange.send(channel, domain, encodedText);
            }}
          >
            {running === 'send' ? 'Sending' : 'Send'}
          </Button>
        </Writes>
      </div>
      {domain !== undefined && (
        <Frame
          key={`${domain} ${tries}`}
          domain={domain}
          onChannel={(openChannel) => setRoute(openChannel === null ? { kind: 'failed' } : { kind: 'open', channel: openChannel })}
        />
      )}
      <div className={classes['actions']}>
        <CopyButton
          label="Copy as cURL"
          text={encodedText === null || channel === null ? null : curlCommand(channel.address, encodedText)}
          isCommand
        />
        {channel !== null && <span className={classes['address']}>{channel.address}</span>}
        {domain !== undefined && route.kind === 'failed' && (
          <RetryNote onRetry={() => reload(domain)}>Requests cannot be sent to this domain.</RetryNote>
        )}
      </div>
      <Textarea
        label="Encoded answer"
        placeholder="Filled with the answer; you can also paste encoded text here"
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
        <Writes>
          <Button
            variant="default"
            disabled={exchange.text.trim() === ''}
            aria-busy={running === 'decode' || undefined}
            onClick={() => void exchange.decode()}
          >
            Decode
          </Button>
        </Writes>
      </div>
      <DecodedAnswer lines={exchange.lines} />
    </Block>
  );
}

type DomainChoiceProps = { value: string | undefined; onChange: (domain: string | undefined) => void; isDisabled: boolean };

/** Domains of apps. One that was chosen came from a search, so its name is known. */
const domains: OptionSource<PickedApp> = {
  ...allApps,
  key: [...allApps.key, 'domains'],
  load: ({ search, ids }, signal) => allApps.load({ search: search ?? ids?.[0] }, signal),
  optionOf: ({ domain, name }) => ({ value: domain, name: `${shownDomain(domain)} (${name})` }),
};

/** Selects the domain of an app that is not archived; search by domain or name. */
function DomainChoice({ value, onChange, isDisabled }: DomainChoiceProps) {
  return (
    <Dropdown
      label="App domain"
      options={domains}
      value={value}
      onChange={onChange}
      placeholder="Choose a domain"
      width={280}
      isDisabled={isDisabled}
    />
  );
}

/** Characters that are shown initially. */
const initialLength = 4_000;

/** The decoded value, one line per key; null for nothing. */
function DecodedAnswer({ lines }: { lines: string | null }) {
  return <div aria-live="polite">{lines !== null && <Lines key={lines} text={lines} />}</div>;
}

function Lines({ text }: { text: string }) {
  const id = useId();
  const [isWhole, setIsWhole] = useState(text.length <= initialLength);
  return (
    <section aria-labelledby={id}>
      <div className={classes['label']}>
        <span id={id}>Decoded</span>
        <CopyIcon text={text} label="Copy decoded text" />
      </div>
      <pre className={classes['decoded']}>{isWhole ? text : `${text.slice(0, initialLength)}…`}</pre>
      {!isWhole && (
        <Button variant="default" size="xs" mt={8} onClick={() => setIsWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      )}
    </section>
  );
}

/**
 * The request as a cURL command, without session data. Double quotes work in every shell, and neither host
 * addresses nor base64 need escaping in them.
 */
function curlCommand(address: string, encodedText: string): string {
  return `curl -X POST "${address}" -H "Content-Type: text/plain" --data-raw "${encodedText}"`;
}
