import { Button } from '@mantine/core';
import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import type { RequestFilters } from '@switchyard/contract/requests';
import { useState, type ReactNode } from 'react';
import type { FilterDraft } from '../shared/listing/use-filter-draft.ts';
import { correctedClock } from '../shared/time/corrected-clock.ts';
import classes from './traffic.module.css';

const minute = 60_000_000;
const presets = [
  { label: '15 min', meaning: 'Last 15 minutes', length: 15 * minute },
  { label: '1 h', meaning: 'Last hour', length: 60 * minute },
  { label: '24 h', meaning: 'Last 24 hours', length: 1_440 * minute },
  { label: '7 d', meaning: 'Last 7 days', length: 7 * 1_440 * minute },
  { label: '30 d', meaning: 'Last 30 days', length: 30 * 1_440 * minute },
] as const;

type Props = { draft: FilterDraft<Pick<RequestFilters, 'startDate' | 'endDate'>> };

/**
 * Ranges that one press puts into effect, with whatever else is chosen. A preset writes the moment at which its range begins into
 * the address, not its length: a link or a reload shows the same rows, and another press moves the range up to now.
 */
export function TimePresets({ draft: { values, apply } }: Props) {
  const [chosenPreset, setChosenPreset] = useState<{ label: string; startDate: string } | null>(null);
  const { startDate, endDate } = values;
  const choose = (label: string, length: number): void => {
    const from = formatDateTime(fromDate(correctedClock.serverNow()) - length);
    setChosenPreset({ label, startDate: from });
    apply({ startDate: from, endDate: undefined });
  };
  const isOpenEnded = endDate === undefined;
  return (
    <PresetGroup>
      {presets.map(({ label, meaning, length }) => (
        <Preset
          key={label}
          label={label}
          meaning={meaning}
          isPressed={isOpenEnded && startDate !== undefined && chosenPreset?.label === label && chosenPreset.startDate === startDate}
          onPress={() => choose(label, length)}
        />
      ))}
      <Preset
        label="All"
        meaning="All stored requests"
        isPressed={isOpenEnded && startDate === undefined}
        onPress={() => apply({ startDate: undefined, endDate: undefined })}
      />
    </PresetGroup>
  );
}

/** Presets in a row. */
export function PresetGroup({ label = 'Time range', children }: { label?: string; children: ReactNode }) {
  return (
    <Button.Group className={classes['presets'] ?? ''} aria-label={label}>
      {children}
    </Button.Group>
  );
}

type PresetProps = { label: string; meaning: string; isPressed: boolean; onPress: () => void };

/** A range that one press puts into effect. */
export function Preset({ label, meaning, isPressed, onPress }: PresetProps) {
  return (
    <Button
      className={classes['preset'] ?? ''}
      variant={isPressed ? 'light' : 'default'}
      title={meaning}
      aria-label={label === meaning ? label : `${label}: ${meaning.toLowerCase()}`}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
