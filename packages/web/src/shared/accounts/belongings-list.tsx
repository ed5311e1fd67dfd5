import type { BelongingsSummary } from '@switchyard/contract/belongings';
import { groupedNumber } from '../ui/text-format.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** What happens to the accounts: `denyAndKeep` and `denyAndHandOver` after the choice of a new owner. */
type Act = 'delete' | 'deny' | 'denyAndKeep' | 'denyAndHandOver';

const kept = { shared: 'kept', services: 'stopped', rules: 'kept', schedules: 'paused', silences: 'kept', tokens: 'stopped' };
const given = 'handed over to the new owner';

/** What each act does to things of each kind. */
const fates: Readonly<Record<Act, Readonly<Record<keyof typeof kept, string>>>> = {
  delete: {
    shared: 'deleted unless handed over',
    services: 'deleted unless handed over',
    rules: 'kept, without an owner unless handed over',
    schedules: 'deleted',
    silences: 'ended',
    tokens: 'revoked',
  },
  deny: { ...kept, services: 'stopped unless handed over' },
  denyAndKeep: kept,
  denyAndHandOver: { ...kept, shared: given, services: given, rules: given },
};

/** A line for each kind of things that hang on accounts which are about to leave. */
export function BelongingsList({ belongings, act }: { belongings: BelongingsSummary; act: Act }) {
  const { views, tiles, service_accounts: services, rules, schedules, silences, personal_tokens: tokens } = belongings;
  const fate = fates[act];
  const defaults = `${groupedNumber(views.default_of)} ${views.default_of === 1 ? 'person opens' : 'people open'} a list with one`;
  const lines = [
    { kind: 'Shared views', ...views, fate: views.default_of === 0 ? fate.shared : `${fate.shared}; ${defaults}` },
    { kind: 'Shared tiles', ...tiles, fate: fate.shared },
    { kind: 'Service accounts', ...services, fate: fate.services },
    { kind: 'Alert rules', ...rules, fate: fate.rules },
    { kind: 'Schedules', ...schedules, fate: fate.schedules },
    { kind: 'Silences', ...silences, fate: fate.silences },
    { kind: 'API tokens', count: tokens, names: [], fate: fate.tokens },
  ].filter(({ count }) => count > 0);
  return (
    <ul aria-label="Belongings" style={{ margin: 0, paddingInlineStart: 20, overflowWrap: 'anywhere' }}>
      {lines.map(({ kind, count, names, fate: text }) => (
        <li key={kind}>
          <VisibleText text={`${kind} (${namesText(count, names)}): ${text}`} />
        </li>
      ))}
    </ul>
  );
}

/** Whether nothing hangs on the accounts. */
export function isEmpty({ personal_tokens: tokens, ...kinds }: BelongingsSummary): boolean {
  return tokens === 0 && Object.values(kinds).every(({ count }) => count === 0);
}

function namesText(count: number, names: readonly string[]): string {
  if (names.length === 0) return groupedNumber(count);
  return count > names.length ? `${names.join(', ')} and ${groupedNumber(count - names.length)} more` : names.join(', ');
}
