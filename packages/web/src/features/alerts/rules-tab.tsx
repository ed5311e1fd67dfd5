import { Button, Switch } from '@mantine/core';
import { alertKindNames, alertKinds, deleteRule, listRules, unheardTexts, updateRule, type AlertRule } from '@switchyard/contract/alerts';
import { ruleFiltersInWords } from '@switchyard/contract/rule-filters';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { kindWords, measureText, thresholdText } from '../../shared/alerts/alert-words.ts';
import { call } from '../../shared/api/call.ts';
import { buttonColumn, confirmDeletion } from '../../shared/entities/entity-list.tsx';
import { manyFilter, searchFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { nameColumn } from '../../shared/listing/entity-columns.tsx';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { Dropdown } from '../../shared/ui/pick-list.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { TextCell } from '../../shared/ui/text-cell.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { useMayChangeAlerts } from '../../shared/alerts/may-change-alerts.ts';
import { refreshRules } from './rule-model.ts';
import { scopeText } from './scope-fields.tsx';
import classes from './incidents.module.css';
import { Writes } from '../../shared/ui/read-only.tsx';

const rulesQuery = listRules.query;
const rowId = ({ id }: AlertRule): number => id;
const reachedOptions = [
  { value: 'nobody', name: 'Nobody' },
  { value: 'somebody', name: 'A channel' },
] as const;
const filters: Filters<ReturnType<typeof rulesQuery.parse>> = {
  search: searchFilter({ placeholder: 'Name' }),
  kind: manyFilter({ label: 'Kind', width: 180, options: alertKindNames.map((kind) => ({ value: kind, name: kindWords[kind].name })) }),
  unheard: {
    field: ({ value, onChange }) => (
      <Dropdown
        label="Reaches"
        width={130}
        placeholder="Any"
        isClearable
        options={reachedOptions}
        value={value === undefined ? undefined : reachedOptions[value ? 0 : 1].value}
        onChange={(next) => onChange(next === undefined ? undefined : next === 'nobody')}
      />
    ),
    chips: (isUnheard) => [{ name: 'Reaches', value: reachedOptions[isUnheard ? 0 : 1].name }],
  },
};

/** The rules that incidents follow from. */
export function RulesTab() {
  const list = useList({
    name: 'alert-rules',
    schema: rulesQuery,
    rowId,
    load: (query, signal) => call(listRules, { query, signal }),
  });
  const mayChange = useMayChangeAlerts();
  const openPath = useOpenPath();
  const displayDate = useDisplayDate();
  const columns = useMemo(() => rulesColumns(mayChange, displayDate), [mayChange, displayDate]);
  const create = mayChange ? (
    <Button component={AppLink} href={paths.alertRuleCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create rule
    </Button>
  ) : null;
  return (
    <>
      <div className={classes['head']}>
        <p className="note">Each rule watches one condition, opens an incident when it is met, and announces it in the channels.</p>
        {create}
      </div>
      <List
        list={list}
        noun="rules"
        columns={columns}
        filters={filters}
        onOpen={({ id }) => openPath(paths.alertRuleEdit(id))}
        empty={{ title: 'No rules', text: 'A rule says when something needs attention.', action: create }}
      />
    </>
  );
}

function rulesColumns(mayChange: boolean, displayDate: (text: string) => string): ListColumn<AlertRule>[] {
  return [
    {
      id: 'on',
      cellName: 'On',
      title: 'Switched on',
      width: 64,
      isMain: true,
      isFixed: true,
      cell: (rule) => <OnSwitch rule={rule} isLocked={!mayChange} />,
    },
    { ...nameColumn(paths.alertRuleEdit), width: 200, minWidth: 140 },
    { id: 'kind', cellName: 'Kind', width: 160, cell: ({ kind }) => <span title={kindWords[kind].help}>{kindWords[kind].name}</span> },
    {
      id: 'threshold',
      cellName: 'Fires at',
      width: 140,
      isMain: true,
      cell: ({ kind, threshold, further_thresholds: further, ...measure }) => (
        <span title={measureText(measure) ?? undefined}>
          {thresholdText(kind, threshold) ?? '-'}
          {further.length > 0 && `, again at ${further.join(', ')}`}
        </span>
      ),
    },
    { id: 'severity', cellName: 'Severity', width: 96, cell: ({ severity }) => <SeverityMark severity={severity} /> },
    {
      id: 'requests',
      cellName: 'Requests',
      tooltip: 'Which requests it counts',
      width: 120,
      minWidth: 80,
      cell: ({ kind, request_filter: filter }) => {
        const all = 'filters' in alertKinds[kind] ? 'All' : '-';
        return <TextCell text={ruleFiltersInWords(filter) || all} />;
      },
    },
    {
      id: 'apps',
      cellName: 'Apps',
      width: 120,
      minWidth: 80,
      cell: ({ kind, scope }) => {
        const text = alertKinds[kind].subject === 'app' ? scopeText(scope) : '-';
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: 'pending',
      cellName: 'Pending',
      tooltip: 'How long the condition must hold before an incident opens',
      width: 80,
      align: 'end',
      cell: ({ pending_minutes: minutes }) => (minutes === 0 ? '-' : `${groupedNumber(minutes)} min`),
    },
    {
      id: 'channels',
      cellName: 'Channels',
      width: 118,
      cell: ({ channel_ids: ids, unheard }) => {
        if (unheard === null) return ids === null ? 'All' : groupedNumber(ids.length);
        return (
          <span className={classes['unheard']} title={unheardTexts[unheard]}>
            Reaches nobody
          </span>
        );
      },
    },
    {
      id: 'owner',
      cellName: 'Owner',
      width: 110,
      minWidth: 80,
      cell: ({ owner }) => (owner === null ? '-' : <VisibleText text={owner.name} />),
    },
    {
      id: 'open',
      cellName: 'Open incidents',
      width: 110,
      align: 'end',
      cell: ({ id, open_incidents: count }) =>
        count === 0 ? '0' : <AppLink href={paths.incidents({ ruleId: id })}>{groupedNumber(count)}</AppLink>,
    },
    {
      id: 'evaluated',
      cellName: 'Last evaluated',
      tooltip: 'When its values were last known',
      width: 130,
      cell: ({ is_on: isOn, evaluated_at: at }) => (at === null ? (isOn ? 'Not yet' : '-') : displayDate(at)),
    },
    buttonColumn({ pathOf: paths.alertRuleEdit, mayChange, onDelete: askToDelete }),
  ];
}

function OnSwitch({ rule: { id, name, is_on: isOn, version }, isLocked }: { rule: AlertRule; isLocked: boolean }) {
  const tabIndex = useGridTabIndex();
  const [isRunning, setIsRunning] = useState(false);
  const toggle = async (next: boolean): Promise<void> => {
    setIsRunning(true);
    try {
      await call(updateRule, { params: { id }, body: { is_on: next }, ifMatch: version });
    } catch {
      // The call has shown why; the reloaded list shows the state.
    } finally {
      await refreshRules();
      setIsRunning(false);
    }
  };
  return (
    <Writes>
      <Switch
        size="xs"
        aria-label={`Rule ${withMarks(name)}`}
        checked={isOn}
        disabled={isLocked || isRunning}
        {...(tabIndex !== undefined && { tabIndex })}
        onChange={(event) => void toggle(event.currentTarget.checked)}
      />
    </Writes>
  );
}

function askToDelete({ id, name, open_incidents: count }: AlertRule): void {
  confirmDeletion({
    noun: 'rule',
    name,
    lines: count === 0 ? [] : [`${count === 1 ? '1 open incident' : `${groupedNumber(count)} open incidents`} will end.`],
    change: () => call(deleteRule, { params: { id } }),
    reload: refreshRules,
  });
}
