import { Input, SegmentedControl, Stack } from '@mantine/core';
import type { AlertScope } from '@switchyard/contract/alerts';
import { verticals } from '@switchyard/contract/apps';
import { allApps as appOptions, useMayPickApps } from '../../shared/accounts/pick-sources.ts';
import { PickMany } from '../../shared/ui/pick-list.tsx';

/** All apps: what a rule and a silence cover unless something else is chosen. */
export const allApps: AlertScope = { apps: 'all', verticals: [], app_ids: [] };

/** A scope in a word or two. */
export function scopeText({ apps, verticals: chosenVerticals, app_ids: ids }: AlertScope): string {
  if (apps === 'all') return 'All apps';
  if (apps === 'chosen') return ids.length === 1 ? '1 app' : `${ids.length} apps`;
  return verticals.flatMap(({ id, name }) => (chosenVerticals.includes(id) ? [name] : [])).join(', ');
}

/** Whether a scope covers something. */
export function isScopeComplete({ apps, verticals: chosenVerticals, app_ids: ids }: AlertScope): boolean {
  return apps === 'all' || (apps === 'chosen' ? ids : chosenVerticals).length > 0;
}

/** The scope without what was chosen before another form of it was picked. */
export function cleanScope({ apps, verticals: chosenVerticals, app_ids: ids }: AlertScope): AlertScope {
  return {
    apps,
    verticals: apps === 'verticals' ? chosenVerticals : [],
    app_ids: apps === 'chosen' ? ids.toSorted((a, b) => a - b) : [],
  };
}

const choices = [
  { value: 'all' as const, label: 'All apps' },
  { value: 'verticals' as const, label: 'Verticals' },
  { value: 'chosen' as const, label: 'Chosen apps' },
];

type Props = { scope: AlertScope; onChange: (scope: AlertScope) => void; isLocked?: boolean; error?: string | undefined };

/** Apps that a rule or a silence covers. */
export function ScopeFields({ scope, onChange, isLocked = false, error }: Props) {
  const mayList = useMayPickApps();
  return (
    <Input.Wrapper label="Apps" labelElement="div" error={error}>
      <Stack gap="xs" mt={4}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Apps"
          disabled={isLocked}
          data={mayList || scope.apps === 'chosen' ? choices : choices.slice(0, 2)}
          value={scope.apps}
          onChange={(next) => onChange({ ...scope, apps: next })}
        />
        {scope.apps === 'verticals' && (
          <PickMany
            label="Chosen verticals"
            placeholder="No verticals"
            width="100%"
            isDisabled={isLocked}
            options={verticals.map(({ id, name }) => ({ value: id, name }))}
            value={scope.verticals}
            onChange={(next) => onChange({ ...scope, verticals: next })}
          />
        )}
        {scope.apps === 'chosen' && (
          <PickMany
            label="Apps to cover"
            placeholder="No apps"
            width="100%"
            isDisabled={isLocked || !mayList}
            options={mayList ? appOptions : []}
            value={scope.app_ids.map(String)}
            onChange={(ids) => onChange({ ...scope, app_ids: ids.map(Number) })}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
