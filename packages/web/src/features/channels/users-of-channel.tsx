import { Stack } from '@mantine/core';
import type { Channel, ChannelRule, ChannelSchedule } from '@switchyard/contract/channels';
import { useState } from 'react';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';

/** Rules or schedules whose names are listed; the others are counted. */
const mostNames = 5;

type Props = {
  rules: readonly ChannelRule[];
  schedules: readonly ChannelSchedule[];
  channels: readonly Channel[];
  onChange: (replacementId: number) => void;
};

/** The rules and schedules that name a channel which is to be deleted, and the channel that takes its place; 0: none does. */
export function UsersOfChannel({ rules, schedules, channels, onChange }: Props) {
  const [chosen, setChosen] = useState<string | undefined>();
  const isReplaced = chosen !== undefined;
  return (
    <Stack gap="sm">
      {rules.length > 0 && (
        <p>
          {namesText(rules, 'rule names', 'rules name')}
          {!isReplaced && onlyText(rules, 'reach nobody')}
        </p>
      )}
      {schedules.length > 0 && (
        <p>
          {namesText(schedules, 'schedule sends to', 'schedules send to')}
          {!isReplaced && onlyText(schedules, 'be switched off')}
        </p>
      )}
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

/** How many there are, with the names of those that the reader may see. */
function namesText(users: readonly ChannelRule[], one: string, several: string): string {
  const names = users.flatMap(({ name }) => (name === null ? [] : [withMarks(name)])).slice(0, mostNames);
  const rest = users.length - names.length;
  const count = users.length === 1 ? `A ${one} this channel` : `${groupedNumber(users.length)} ${several} this channel`;
  return `${count}${names.length > 0 ? `: ${names.join(', ')}` : ''}${names.length > 0 && rest > 0 ? ` and ${groupedNumber(rest)} more` : ''}.`;
}

/** What becomes of those that name no other channel. */
function onlyText(users: readonly ChannelRule[], fate: string): string {
  const only = users.filter(({ is_only: isOnly }) => isOnly).length;
  if (only === 0) return '';
  return ` Without another channel ${users.length === 1 ? 'it' : `${groupedNumber(only)} of them`} will ${fate}.`;
}
