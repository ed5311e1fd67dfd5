import { Input, SegmentedControl, Textarea } from '@mantine/core';
import { alertLimits } from '@switchyard/contract/alerts';
import { limitProps } from '../../shared/form/limited.ts';

const hour = 3_600_000;

/** Times for which a silence that begins now lasts, in hours. */
export const silencePeriods = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
];
/** When a silence of so many hours that begins now ends. */
export function silenceEnd(hours: string, now: Date): string {
  return new Date(now.getTime() + Number(hours) * hour).toISOString();
}

type FieldProps = { value: string; onChange: (value: string) => void };

/** Picks how long a silence lasts. */
export function PeriodField({ periods, ...props }: FieldProps & { periods: { value: string; label: string }[] }) {
  return (
    <Input.Wrapper label="How long" labelElement="div">
      <SegmentedControl fullWidth mt={4} size="xs" aria-label="How long" data-autofocus data={periods} {...props} />
    </Input.Wrapper>
  );
}

/** Why something is silenced. */
export function SilenceNote({ value, onChange }: FieldProps) {
  return (
    <Textarea
      label="Note"
      placeholder="Reason, e.g. which server is being replaced"
      autosize
      minRows={2}
      maxRows={4}
      value={value}
      {...limitProps(value, alertLimits.noteCharacters)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
