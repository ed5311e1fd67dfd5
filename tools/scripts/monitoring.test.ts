import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readExpressions } from '../console/monitoring-files.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const existing = new Set([...read('docs/metrics.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)).add('up');
const operators = new Set(['and', 'or', 'unless', 'by', 'on', 'offset', 'bool']);

/** Names of metrics in an expression: words that are no function, label, text, duration or operator. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on)\s*\([^)]*\)/g, ' ');
  const words = [...bare.matchAll(/(?<![\w.])[a-z_]\w*(?!\w*\s*\()/gi)].map(([word]) => word);
  return words.filter((word) => !operators.has(word)).map((word) => word.replace(/_(?:bucket|count)$/, ''));
}

const { alerts, panels } = readExpressions();

it('[MON-004, MON-005] alerts and dashboard name metrics of a scrape only', () => {
  const namedMetrics = [...alerts, ...panels].flatMap(({ name, expression }) => metricsIn(expression).map((metric) => ({ name, metric })));
  expect(new Set(namedMetrics.map(({ metric }) => metric)).size).toBeGreaterThan(15);
  expect(namedMetrics.filter(({ metric }) => !existing.has(metric))).toEqual([]);
});

it('[MON-004] every alert says what is wrong, and leads to what to do', () => {
  const rules = z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            labels: z.object({ severity: z.enum(['warning', 'critical']) }),
            annotations: z.object({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
          }),
        ),
      }),
    ),
  });
  const [group] = rules.parse(parse(read('deploy/monitoring/switchyard-alerts.yml'))).groups;
  const headings = [...read('docs/operations.md').matchAll(/^#### (\w+)$/gm)].map(([, heading = '']) => heading);
  expect(group?.rules.map(({ alert }) => alert)).toEqual(headings);
  expect(group?.rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
    headings.map((heading) => `docs/operations.md#${heading.toLowerCase()}`),
  );
});

it('[MON-004] every alert has a test in which it fires and one in which it does not', () => {
  const cases = z.object({
    tests: z.array(
      z.object({ alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).default([]) })) }),
    ),
  });
  const files = ['switchyard-alerts.test.yml', 'switchyard-alerts-days.test.yml'];
  const tests = files.flatMap((file) => cases.parse(parse(read(`deploy/monitoring/${file}`))).tests);
  const outcomes = tests.flatMap((test) => test.alert_rule_test);
  const namesOf = (fires: boolean) => new Set(outcomes.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname));
  const names = new Set(alerts.map(({ name }) => name));
  expect([namesOf(true), namesOf(false)]).toEqual([names, names]);
});
