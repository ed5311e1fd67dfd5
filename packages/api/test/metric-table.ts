/** A metric as a scrape shows it. */
export type ScrapedMetric = { name: string; type: string; help: string; labels: readonly string[]; samples: readonly string[] };

/** Reads Prometheus text. Labels are those of the samples; `le` of a histogram is its own. */
export function readScrape(text: string): ScrapedMetric[] {
  return text
    .split(/^(?=# HELP )/m)
    .filter((part) => part.startsWith('# HELP '))
    .map((part) => {
      const [first = '', second = '', ...samples] = part.trim().split('\n');
      const [, name = '', help = ''] = /^# HELP (\S+) (.*)$/.exec(first) ?? [];
      const labels = samples.flatMap((sample) => [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
      return { name, help, type: second.split(' ').at(-1) ?? '', labels: [...new Set(labels)].filter((label) => label !== 'le'), samples };
    });
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const heading = (...cells: string[]): string => `${row(cells)}\n|${' --- |'.repeat(cells.length)}`;

/** The page of all metrics. `presence` says when a metric of the console has a value; those of Node.js always have. */
export function metricsPage(metrics: readonly ScrapedMetric[], presence: (name: string) => string): string {
  const isOwn = ({ name }: ScrapedMetric): boolean => !/^(process|nodejs)_/.test(name);
  const cells = ({ name, type, labels, help }: ScrapedMetric): string[] => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ];
  return `# Metrics

Metrics of \`/metrics\`. \`metrics.test.ts\` compares this page with a scrape; \`npx vitest run observability/metrics.test -u\` refreshes it.
[Monitoring](operations.md#monitoring) tells how to collect them, and which alerts and dashboard come with the console.

Labels hold no names, addresses or ids. Figures about the database are the same in every process: take their maximum, not their sum.

## Console

| Present | Meaning |
|---|---|
| always | In every scrape |
| after the first | Once there was something to count |
| PostgreSQL | Unless PostgreSQL is unavailable or does not answer within a second. Read at most once in five seconds |
| ClickHouse | Where events are in ClickHouse |

${heading('Metric', 'Type', 'Labels', 'Help', 'Present')}
${metrics
  .filter(isOwn)
  .map((metric) => row([...cells(metric), presence(metric.name)]))
  .join('\n')}

## Process

From the Prometheus client of Node.js, on Linux. Always present.

${heading('Metric', 'Type', 'Labels', 'Help')}
${metrics
  .filter((metric) => !isOwn(metric))
  .map((metric) => row(cells(metric)))
  .join('\n')}
`;
}
