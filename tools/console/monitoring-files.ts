import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const rules = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) });
const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

const read = (name: string): string => readFileSync(`deploy/monitoring/${name}`, 'utf8');

type Expression = { name: string; expression: string };

/** Expressions of the alerts and of the dashboard in deploy/monitoring, its variables replaced as Grafana does. */
export function readExpressions(): { alerts: Expression[]; panels: Expression[] } {
  return {
    alerts: rules
      .parse(parse(read('switchyard-alerts.yml')))
      .groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ name: alert, expression: expr }))),
    panels: dashboard.parse(JSON.parse(read('grafana-dashboard.json'))).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({
        name: title,
        expression: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
      })),
    ),
  };
}
