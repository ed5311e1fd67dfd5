import { Input } from '@mantine/core';
import { TooltipIcon } from '../ui/hover-tooltip.tsx';
import classes from './form.module.css';

type Props = {
  label: string;
  /** Purpose of the field, in a tooltip beside the label. */
  help: string;
  /** The id of the field. */
  htmlFor: string;
  isRequired?: boolean;
};

/** The label of a field with its help. The help is outside the label, so it is not part of the field's accessible name. */
export function FieldLabel({ label, help, htmlFor, isRequired = false }: Props) {
  return (
    <div className={classes['label']}>
      <Input.Label htmlFor={htmlFor} className={isRequired ? (classes['required'] ?? '') : ''}>
        {label}
      </Input.Label>
      <TooltipIcon label={help} size="s" />
    </div>
  );
}
