import { Input, Stack, Textarea } from '@mantine/core';
import { requestTypes } from '@switchyard/contract/requests';
import { requestFilterText, ruleFilterValues, writeRuleFilters, type RuleFilterName } from '@switchyard/contract/rule-filters';
import { useState } from 'react';
import { countryOptions } from '../../shared/countries/country-flag.tsx';
import type { FieldControl } from '../../shared/entities/entity-form.tsx';
import { PickMany } from '../../shared/ui/pick-list.tsx';
import type { PickOption } from '../../shared/ui/pick-options.tsx';
import { withNoCountry } from '../../traffic/request-filters.tsx';
import { typeOptions } from '../../traffic/request-type-label.tsx';

type Props = FieldControl<string> & { names: readonly RuleFilterName[]; isLocked: boolean };

const countries = withNoCountry(countryOptions);
const types = typeOptions(requestTypes);

/** The filters with which a rule counts some requests only. */
export function RequestFilterFields({ label, value, error, onChange, names, isLocked }: Props) {
  const filters = ruleFilterValues(value);
  const control = (name: RuleFilterName) => ({
    isLocked,
    value: filters[name] ?? [],
    onChange: (values: readonly string[]) => onChange(writeRuleFilters({ ...filters, [name]: values })),
  });
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      error={error ?? (requestFilterText.safeParse(value).success ? undefined : 'Some of these are not valid, or they are too many.')}
      description="Counts only requests that match every filter. Leave empty to count all."
    >
      <Stack gap="xs" mt={4}>
        <Choice label="Countries" placeholder="All countries" options={countries} {...control('geo')} />
        {names.includes('type') && <Choice label="Types" placeholder="All types" options={types} {...control('type')} />}
        <Lines
          label="Autonomous systems"
          description="For example, AS3320, AS13335. 0: addresses of none, none: not known."
          separator={/[\s,]+/}
          textOf={(code) => (/^[1-9]/.test(code) ? `AS${code}` : code)}
          read={(text) => text.trim().replace(/^AS(?=\d)/i, '')}
          {...control('asn')}
        />
        <Lines label="Streams" description="One stream UID per line." separator={/\n/} {...control('streamUid')} />
      </Stack>
    </Input.Wrapper>
  );
}

type ControlProps = { label: string; isLocked: boolean; value: readonly string[]; onChange: (values: readonly string[]) => void };
type ChoiceProps = ControlProps & { placeholder: string; options: readonly PickOption<string>[] };

function Choice({ isLocked, ...props }: ChoiceProps) {
  return <PickMany width="100%" isDisabled={isLocked} {...props} />;
}

type LinesProps = ControlProps & {
  description: string;
  separator: RegExp;
  textOf?: (value: string) => string;
  read?: (text: string) => string;
};

const asItIs = (text: string): string => text;

/** Values that are typed. */
function Lines({ isLocked, value, onChange, separator, textOf = asItIs, read = asItIs, ...props }: LinesProps) {
  const valuesIn = (text: string): string[] => [
    ...new Set(
      text
        .split(separator)
        .filter((part) => part.trim() !== '')
        .map((part) => read(part)),
    ),
  ];
  const [typed, setTyped] = useState('');
  // Values that come from elsewhere, e.g. of a form that is reset, replace what was typed.
  const isTyped = valuesIn(typed).toSorted().join('\n') === value.toSorted().join('\n');
  return (
    <Textarea
      autosize
      minRows={1}
      maxRows={6}
      autoComplete="off"
      spellCheck={false}
      readOnly={isLocked}
      data-locked={isLocked || undefined}
      value={isTyped ? typed : value.map((one) => textOf(one)).join('\n')}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        onChange(valuesIn(text));
      }}
      {...props}
    />
  );
}
