import type { Endpoint } from '@switchyard/contract/endpoint';
import { apartReasons, scopeCases, type ScopeCase } from './scope-probes.ts';

/** The response to a restricted account: the status, and which apps it contains. */
export type ScopeAnswer = { status: number; own: boolean; foreign: 'data' | 'id' | null };
export type ScopeRow = { endpoint: Endpoint; seen: Partial<Record<ScopeCase, ScopeAnswer>> | keyof typeof apartReasons };

const head = `## Accounts that see some apps

What the same calls answer to an account with every permission of staff that sees one app, and is no super admin.

- **In scope**: the call is about that app, an account that sees it alone, or a list narrowed to it.
- **Out of scope**: the call is about another app, an account that sees another app alone, or a list narrowed to it.
- **Mixed**: the call names both apps, an account that sees both, or a list that nothing narrows. Servers serve both apps.
  [67] stands for the region under *In scope* and for the token under *Mixed*.
- After a status, *own*: the answer has data or the id of the app in scope. *other id*, *other data*: it has the id of the other
  app, or its data. This is so where a staff account shows the apps that it sees: all who may edit staff see those. Nothing: the
  answer tells of neither app.
- Blank: the case cannot occur. –: scope plays no part in the call, because the call
  - *public*: ${apartReasons.public}
  - *server*: ${apartReasons.server}
  - *self*: ${apartReasons.self}
  - *shared*: ${apartReasons.shared}
`;

/** The second part of the matrix as Markdown, a line for each call. */
export function scopeTable(rows: readonly ScopeRow[]): string {
  const lines = rows.map(({ endpoint: { number, method, path }, seen }) => [
    `[${number}] ${method} ${path}`,
    ...(typeof seen === 'string' ? [`– ${seen}`, '–', '–'] : scopeCases.map((which) => cell(seen[which]))),
  ]);
  const columns = ['Call', 'In scope', 'Out of scope', 'Mixed'];
  return `${head}\n${[columns, columns.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function cell(answer: ScopeAnswer | undefined): string {
  if (answer === undefined) return '';
  const apps = [...(answer.own ? ['own'] : []), ...(answer.foreign === null ? [] : [`other ${answer.foreign}`])];
  return [answer.status, apps.join(', ')].join(' ').trim();
}
