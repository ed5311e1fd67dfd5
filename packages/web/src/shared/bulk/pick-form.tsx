import { useState } from 'react';
import { DialogForm } from '../form/dialog-form.tsx';
import type { OptionSource } from '../ui/option-source.ts';
import { PickMany } from '../ui/pick-list.tsx';
import type { PickOption } from '../ui/pick-options.tsx';

type Props = {
  label: string;
  options: readonly PickOption<string>[] | OptionSource;
  /** Set when the options could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
  onSubmit: (ids: number[]) => void;
  onCancel: () => void;
};

/** Asks for the entities that an action adds to the selected rows or removes from them. */
export function PickForm({ label, options, onRetry, onSubmit, onCancel }: Props) {
  const [picked, setPicked] = useState<readonly string[]>([]);
  return (
    <DialogForm submitLabel="Check" isEnabled={picked.length > 0} onCancel={onCancel} onSubmit={() => onSubmit(picked.map(Number))}>
      <PickMany label={label} placeholder="Select" options={options} onRetry={onRetry} value={picked} onChange={setPicked} width={280} />
    </DialogForm>
  );
}
