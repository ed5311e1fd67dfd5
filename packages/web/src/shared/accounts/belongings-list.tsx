import type { BelongingsSummary } from '@switchyard/contract/belongings';
import { groupedNumber } from '../ui/text-format.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** The act on the accounts: `denyAndKeep` and `denyAndHandOver` after the choice of a new owner. */
type Act = 'delete' | 'deny' | 'denyAndKeep' | 'denyAndHandOver';

const kept = { shared: 'kept', services: 'stopped', rules: 'kept', schedules: 'paused', silences: 'kept', tokens: 'stopped' };
/** Names of what hangs on accounts. */
export const kindNames: Readonly<Record<keyof BelongingsSummary, string>> = {
  views: 'Shared views',
  boards: 'Shared boards',
  tiles: 'Shared tiles',
  service_accounts: 'Service accounts',
  rules: 'Alert rules',
  schedules: 'Schedules',
  silences: 'Silences',
  personal_tokens: 'API tokens',
};

const given = 'handed over to the new owner';

/** The effect of each act on things of each kind. */
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
  const { views, boards, tiles, service_accounts: services, rules, schedules, silences, personal_tokens: tokens } = belongings;
  const fate = fates[act];
  const defaults = `${groupedNumber(views.default_of)} ${views.default_of === 1 ? 'person opens' : 'people open'} a list with one`;
  const lines = [
    { kind: kindNames.views, ...views, fate: views.default_of === 0 ? fate.shared : `${fate.shared}; ${defaults}` },
    { kind: kindNames.boards, ...boards, fate: fate.shared },
    { kind: kindNames.tiles, ...tiles, fate: fate.shared },
    { kind: kindNames.service_accounts, ...services, fate: fate.services },
    { kind: kindNames.rules, ...rules, fate: fate.rules },
    { kind: kindNames.schedules, ...schedules, fate: fate.schedules },
    { kind: kindNames.silences, ...silences, fate: fate.silences },
    { kind: kindNames.personal_tokens, count: tokens, names: [], fate: fate.tokens },
  ].filter(({ count }) => count > 0);
  return (
    <ul aria-label="Belongings" style={{ paddingInlineStart: 20, listStyle: 'disc' }}>
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
