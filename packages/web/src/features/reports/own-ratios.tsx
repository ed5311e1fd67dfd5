import { Button, Checkbox, TextInput } from '@mantine/core';
import { kindSums, writeKindMeasure } from '@switchyard/contract/kind-measures';
import {
  isPayout,
  ownRatiosOf,
  readOwnRatio,
  reportLimits,
  type ReportSum,
  reportSums,
  type Ratio,
  writeOwnRatio,
} from '@switchyard/contract/reports';
import { IconDivide } from '@tabler/icons-react';
import { useState } from 'react';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { Popup } from '../../shared/ui/popup.tsx';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import { measureName } from '@switchyard/contract/report-texts';
import classes from './reports.module.css';

type Kinds = readonly { readonly value: string }[] | undefined;

type Props = { value: readonly string[] | undefined; kinds: Kinds; onChange: (ratios: string[] | undefined) => void };

/** Adds ratios of two sums to a report, each with a name. Their chips take them away. */
export function OwnRatios({ value: texts, kinds, onChange }: Props) {
  const value = texts ?? [];
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDivide size={16} aria-hidden />}
        disabled={value.length >= reportLimits.ratios}
        title={value.length >= reportLimits.ratios ? `A report has at most ${reportLimits.ratios} ratios` : 'Add a ratio of two measures'}
        onClick={() => setOpen(true)}
      >
        Add ratio
      </Button>
      <Popup isOpen={isOpen} onClose={() => setOpen(false)} title="Add a ratio" showsOverflow>
        <RatioForm
          kinds={kinds}
          takenNames={ownRatiosOf({ ratio: value }).map(({ name }) => name)}
          onCancel={() => setOpen(false)}
          onAdd={(text) => {
            setOpen(false);
            onChange([...value, text]);
          }}
        />
      </Popup>
    </>
  );
}

type FormProps = { kinds: Kinds; takenNames: readonly string[]; onAdd: (text: string) => void; onCancel: () => void };

function RatioForm({ kinds, takenNames, onAdd, onCancel }: FormProps) {
  const [name, setName] = useState('');
  useUnsavedWork(name !== '');
  const [part, setPart] = useState<Ratio['part']>('conversions');
  const [whole, setWhole] = useState<Ratio['whole']>('requests');
  const sums: ReportSum[] = [...reportSums, ...(kinds ?? []).flatMap(({ value }) => kindSums.map((sum) => writeKindMeasure(sum, value)))];
  const options = sums.map((sum) => ({ value: sum, name: measureName(sum) }));
  const [isPerThousand, setPerThousand] = useState(false);
  const text = writeOwnRatio({ name: name.trim(), part, whole, times: isPerThousand ? 1_000 : 1 });
  const isTaken = takenNames.includes(name.trim());
  const problem = isTaken
    ? 'This report has a ratio of this name.'
    : name.trim() !== '' && readOwnRatio(text) === null
      ? 'Leave out commas and colons.'
      : null;
  return (
    <DialogForm
      isLocal
      submitLabel="Add ratio"
      isEnabled={readOwnRatio(text) !== null && !isTaken}
      onSubmit={() => onAdd(text)}
      onCancel={onCancel}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={reportLimits.ratioName}
        value={name}
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={classes['ratio']}>
        <Dropdown label="Sum of" width={180} options={options} value={part} onChange={(sum = part) => setPart(sum)} />
        <Dropdown
          label="Divided by"
          width={180}
          options={options.filter((option) => !isPayout(option.value))}
          value={whole}
          onChange={(sum = whole) => setWhole(sum)}
        />
      </div>
      <Checkbox label="Per thousand" checked={isPerThousand} onChange={(event) => setPerThousand(event.currentTarget.checked)} />
    </DialogForm>
  );
}
