import { Button, Menu, Text } from '@mantine/core';
import { measureApplies } from '@switchyard/contract/report-rules';
import { isByStatus, measuresOf } from '@switchyard/contract/reports';
import { IconBulb, IconChevronDown } from '@tabler/icons-react';
import classes from './reports.module.css';
import type { ReportPageQuery, ReportState } from './use-report.ts';

type Layout = Partial<ReportPageQuery>;

/** What a ready report leaves as the reader chose it: filters, and the days unless it has its own. */
const usual = {
  groupBy: undefined,
  measure: undefined,
  ratio: undefined,
  invalid: undefined,
  compare: 'none',
  top: undefined,
  least: undefined,
  pivot: undefined,
  orderBy: undefined,
  orderDirection: undefined,
} as const satisfies Layout;

const ownDays = { startDate: undefined, endDate: undefined, period: undefined } as const satisfies Layout;

const readyReports: readonly { name: string; meaning: string; layout: (query: ReportPageQuery) => Layout }[] = [
  {
    name: 'Biggest movers',
    meaning: 'The apps that lost the most since last week first',
    layout: (query) => {
      const asked = { ...query, groupBy: ['app' as const] };
      const able = measuresOf(query).filter((one) => !isByStatus(one) && measureApplies(one, asked));
      const column = able.find((one) => one === 'conversions') ?? able[0];
      return {
        groupBy: ['app'],
        measure: column === undefined ? undefined : query.measure,
        compare: 'week',
        orderBy: `change:${column ?? (measureApplies('requests', asked) ? 'requests' : 'conversions')}`,
        orderDirection: 'asc',
      };
    },
  },
  {
    name: 'Conversion and payout by country',
    meaning: 'Creates to conversions, and payout per 1,000 requests, of each app and country',
    layout: () => ({
      groupBy: ['app', 'country'],
      measure: ['create', 'conversions_valid', 'create_to_conversion', 'payout_valid', 'payout_per_thousand'],
    }),
  },
  {
    name: 'Blocked traffic by system',
    meaning: 'The autonomous systems with most errors and bots first',
    layout: () => ({ groupBy: ['asn'], measure: ['error', 'bots', 'requests', 'error_share', 'bot_share'], orderBy: 'error' }),
  },
  {
    name: 'Hours of the week',
    meaning: 'Requests of each hour of each weekday, of the last four weeks',
    layout: () => ({ groupBy: ['weekday', 'hour'], measure: ['requests'], pivot: true, ...ownDays, days: 28 }),
  },
  {
    name: 'Rising errors',
    meaning: 'The streams whose share of errors rose most since yesterday first',
    layout: () => ({
      groupBy: ['stream'],
      measure: ['error_share', 'error', 'requests'],
      compare: 'previous',
      orderBy: 'change:error_share',
      orderDirection: 'desc',
      ...ownDays,
      days: 1,
    }),
  },
  {
    name: 'Largest countries',
    meaning: 'The ten countries with most requests, and the others together',
    layout: () => ({ groupBy: ['country'], measure: ['requests', 'success_share', 'conversions', 'payout'], orderBy: 'requests', top: 10 }),
  },
];

/** Reports that answer usual questions, of the filters that are chosen. */
export function ReadyReports({ list: { query, change } }: { list: ReportState }) {
  return (
    <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconBulb size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-haspopup="menu"
        >
          Ready reports
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes['ready'] ?? ''}>
        {readyReports.map(({ name, meaning, layout }) => (
          <Menu.Item key={name} onClick={() => change({ ...usual, ...layout(query) })}>
            {name}
            <Text size="xs" c="dimmed">
              {meaning}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
