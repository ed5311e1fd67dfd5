import { Stack } from '@mantine/core';
import type { Channel, ChannelRule } from '@switchyard/contract/channels';
import { useState } from 'react';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';

/** Rules whose names are listed; the others are counted. */
const mostNames = 5;

type Props = { rules: readonly ChannelRule[]; channels: readonly Channel[]; onChange: (replacementId: number) => void };

/** The rules that name a channel which is to be deleted, and the channel that takes its place; 0: none does. */
export function RulesOfChannel({ rules, channels, onChange }: Props) {
  const [chosen, setChosen] = useState<string | undefined>();
  const names = rules.flatMap(({ name }) => (name === null ? [] : [withMarks(name)])).slice(0, mostNames);
  const rest = rules.length - names.length;
  const only = rules.filter(({ is_only: isOnly }) => isOnly).length;
  return (
    <Stack gap="sm">
      <p>
        {rules.length === 1 ? 'A rule names this channel' : `${groupedNumber(rules.length)} rules name this channel`}
        {names.length > 0 && `: ${names.join(', ')}`}
        {names.length > 0 && rest > 0 && ` and ${groupedNumber(rest)} more`}.
        {chosen === undefined &&
          only > 0 &&
          ` Without another channel ${rules.length === 1 ? 'it' : `${groupedNumber(only)} of them`} will reach nobody.`}
      </p>
      <Dropdown
        label="Replacement channel"
        width="100%"
        placeholder="None"
        isClearable
        options={channels.map(({ id, name }) => ({ value: String(id), name }))}
        value={chosen}
        onChange={(next) => {
          setChosen(next);
          onChange(Number(next ?? 0));
        }}
      />
    </Stack>
  );
}
