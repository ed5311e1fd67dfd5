import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { listCoveringRules, type CoveringRule } from '@switchyard/contract/black-list';
import { createEntryIndex } from '@switchyard/contract/black-list-entry';
import type { AnswerOf } from '@switchyard/contract/endpoint';
import { useState, type FormEvent } from 'react';
import { CallError } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { AppLink } from '../navigation.tsx';
import { paths } from '../paths.ts';
import { useDisplayDate } from '../time/server-time.ts';
import { Popup } from '../ui/popup.tsx';
import { groupedNumber } from '../ui/text-format.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import classes from './covering-dialog.module.css';

/** Asks which rules block an address, a network or an autonomous system. */
export function CoveringDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Popup isOpen={isOpen} onClose={onClose} title="Is it covered?" width={560}>
      <CoveringForm />
    </Popup>
  );
}

type Answer = AnswerOf<typeof listCoveringRules>;

function CoveringForm() {
  const [entry, setEntry] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  async function ask(): Promise<void> {
    setProblem(null);
    try {
      setAnswer((await call(listCoveringRules, { query: { entry }, ...failingInPlace })).data);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setAnswer(null);
      setProblem(error.fields['entry']?.[0] ?? error.message);
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (entry.trim() !== '') void ask();
  };
  return (
    <Stack gap="md">
      <form noValidate onSubmit={onSubmit}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Address, network or system"
            placeholder="203.0.113.9, 203.0.113.0/24 or AS13335"
            autoComplete="off"
            spellCheck={false}
            error={problem}
            value={entry}
            onChange={(event) => setEntry(event.currentTarget.value)}
            style={{ flexGrow: 1 }}
            data-autofocus
          />
          <Button type="submit" disabled={entry.trim() === ''}>
            Check
          </Button>
        </Group>
      </form>
      {answer !== null && <CoveringRules answer={answer} />}
    </Stack>
  );
}

function CoveringRules({ answer: { entry, rules, total } }: { answer: Answer }) {
  const covering = rules.filter((rule) => blocksAllOf(entry, rule));
  const partial = rules.filter((rule) => !blocksAllOf(entry, rule));
  const partialTotal = total - covering.length;
  return (
    <div>
      <Text size="sm" fw={covering.length === 0 ? 400 : 600} component="output" display="block">
        {coveringText(entry, { count: covering.length, isBlockedInPart: partialTotal > 0 })}
      </Text>
      <RuleList rules={covering} />
      {partialTotal > 0 && (
        <>
          <Text size="sm" fw={600} mt="md">
            {partialTotal === 1 ? 'One rule blocks' : `${groupedNumber(partialTotal)} rules block`} a part of {entry}.
          </Text>
          <RuleList rules={partial} />
        </>
      )}
      {total > rules.length && (
        <Text size="sm" c="dimmed">
          And {groupedNumber(total - rules.length)} more.
        </Text>
      )}
    </div>
  );
}

/** Whether a rule blocks all addresses of what was asked for. Of a network, a system or an entry inside blocks only a part. */
function blocksAllOf(entry: string, { kind, target }: CoveringRule): boolean {
  if (!entry.includes('/')) return true;
  if (kind === 'asn') return false;
  const index = createEntryIndex<true>();
  index.set(target, true);
  return index.listCovering(entry).length > 0;
}

function coveringText(entry: string, { count, isBlockedInPart }: { count: number; isBlockedInPart: boolean }): string {
  const isNetwork = entry.includes('/');
  if (count === 0) return `No rule blocks ${isBlockedInPart ? 'all of ' : ''}${entry}.`;
  const blocks = `${count === 1 ? 'One rule blocks' : `${count} rules block`} ${isNetwork ? 'all of ' : ''}${entry}.`;
  return count === 1 || isNetwork ? blocks : `${blocks} The first one applies first.`;
}

function RuleList({ rules }: { rules: readonly CoveringRule[] }) {
  if (rules.length === 0) return null;
  return (
    <ol className={classes['rules']}>
      {rules.map((rule) => (
        <Rule key={rule.target} rule={rule} />
      ))}
    </ol>
  );
}

function Rule({ rule }: { rule: CoveringRule }) {
  const displayDate = useDisplayDate();
  const { kind, target, name, applies_to: types, reason, source, at, actor, expires_at: expiresAt } = rule;
  const facts = [
    `${kind === 'asn' ? 'banned' : 'black-listed'} for ${types.join(' and ')}`,
    at === null ? null : `set ${displayDate(at)}${actor === null ? '' : ` by ${actor.name}`}`,
    expiresAt === null ? 'does not expire' : `until ${displayDate(expiresAt)}`,
    source === '' ? null : `source: ${source}`,
    reason === null || reason === '' ? null : `reason: ${reason}`,
  ];
  return (
    <li>
      <AppLink href={kind === 'asn' ? paths.asns(target) : paths.blackIps(target)}>{target}</AppLink>{' '}
      {name !== '' && <VisibleText text={name} />}
      <Text size="xs" c="dimmed">
        <VisibleText text={facts.filter((fact) => fact !== null).join(' · ')} />
      </Text>
    </li>
  );
}
