import { verticals, type verticalIds } from '@switchyard/contract/apps';
import { mainColumn, orderOf, readOrder, reportSource } from '@switchyard/contract/report-rules';
import { kindMeasures, readKindMeasure, writeKindMeasure } from '@switchyard/contract/kind-measures';
import {
  defaultMeasures,
  groupingsOf,
  isPivot,
  measuresOf,
  readOwnRatio,
  reportComparisons,
  reportGroupings,
  reportLimits,
  type ReportMeasure,
  reportMeasures,
  reportPeriods,
  severalFiltersOf,
} from '@switchyard/contract/reports';
import { requestTypes } from '@switchyard/contract/requests';
import { IconClockPause } from '@tabler/icons-react';
import { countryOptions } from '../../shared/countries/country-flag.tsx';
import { dayFilters } from '../../shared/listing/day-filters.tsx';
import { manyFilter } from '../../shared/listing/filter-fields.tsx';
import { chipsOfMany, type Filter, type FilterChip, filterChips, type Filters } from '../../shared/listing/filter.ts';
import { optionFilter, type OptionList } from '../../shared/listing/option-filter.tsx';
import type { OptionSource } from '../../shared/ui/option-source.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { Dropdown, PickMany } from '../../shared/ui/pick-list.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';
import { asnText } from '../../traffic/asn-text.ts';
import { filteredTypeName, typeOptions } from '../../traffic/request-type-label.tsx';
import { filteredCountryName, requestFilters, streamChips, withNoCountry } from '../../traffic/request-filters.tsx';
import { Preset, PresetGroup } from '../../traffic/time-presets.tsx';
import { OwnRatios } from './own-ratios.tsx';
import { measureName } from '@switchyard/contract/report-texts';
import { comparisonNames, groupingNames, periodNames } from './report-words.ts';
import classes from './reports.module.css';
import type { ReportPageQuery } from './use-report.ts';

const groupingOptions = reportGroupings.map((grouping) => ({ value: grouping, name: groupingNames[grouping] }));
const measureOptions: readonly PickOption<ReportMeasure>[] = reportMeasures.map(measureOption);
const comparisonOptions = reportComparisons.map((comparison) => ({ value: comparison, name: comparisonNames[comparison] }));
const periodOptions = reportPeriods.map((period) => ({ value: period, name: periodNames[period] }));
const verticalOptions: readonly PickOption<(typeof verticalIds)[number]>[] = verticals.map(({ id, name }) => ({ value: id, name }));
const usualTops = [3, 5, 10, 20, 50];
const usualLeast = [1, 10, 100, 1_000, 10_000];
const allTypes = typeOptions(requestTypes);
const invalidOptions = [
  { value: 'left out', name: 'Left out of ratios' },
  { value: 'counted', name: 'Counted in ratios' },
] as const;

function measureOption<Measure extends ReportMeasure>(measure: Measure): PickOption<Measure> {
  return { value: measure, name: measureName(measure) };
}

/** The measures of some kinds, and those of kinds that are picked already. */
function kindOptions(kinds: OptionList['list'], picked: readonly ReportMeasure[]): PickOption<ReportMeasure>[] {
  const pickedKinds = picked.flatMap((measure) => readKindMeasure(measure)?.kind ?? []);
  const all = new Set([...(kinds ?? []).map(({ value }) => value), ...pickedKinds]);
  return [...all].flatMap((kind) => kindMeasures.map((name) => measureOption(writeKindMeasure(name, kind))));
}

/** A filter whose control is added by its name, because most reports have few filters. */
function added<Value>(name: string, filter: Filter<Value>): Filter<Value> {
  return { ...filter, addAs: name };
}

/** Choices other than filters have no chips: their controls show them. */
const noChips = (): readonly never[] => [];

export type NamedGrouping = 'app' | 'buyer' | 'stream' | 'server';

type Input = {
  offset: string;
  apps: OptionSource | null;
  buyers: OptionSource | null;
  servers: OptionList;
  kinds: OptionList;
  /** Names of apps, buyers, streams and servers in the report. */
  nameOf: (grouping: NamedGrouping, value: string) => string;
};

/** The controls of a report: how it is laid out, its days, and its filters. */
export function reportFilters({ offset, apps, buyers, servers, kinds, nameOf }: Input): Filters<ReportPageQuery> {
  const { startDate, endDate } = dayFilters(offset);
  const { bot, botNot, ipNot } = requestFilters({ offset, types: [], countries: [] });
  const buyerId = optionFilter('Buyer', { options: buyers ?? undefined, nameOf: (id) => nameOf('buyer', id) });
  const type = manyFilter({ label: 'Type', width: 108, options: allTypes, nameOf: filteredTypeName });
  return {
    groupBy: {
      field: ({ value, onChange }) => {
        const [first, second] = groupingsOf({ groupBy: value });
        const set = (...fields: (typeof first)[]): void => {
          const chosenFields = [...new Set(fields.filter((field) => field !== undefined))];
          onChange(chosenFields.join() === groupingsOf({ groupBy: undefined }).join() ? undefined : chosenFields);
        };
        return (
          <div className={classes['groupings']}>
            <Dropdown label="Group by" width={136} options={groupingOptions} value={first} onChange={(grouping) => set(grouping, second)} />
            <Dropdown
              label="Then by"
              width={136}
              placeholder="Nothing"
              isClearable
              options={groupingOptions.filter(({ value: grouping }) => grouping !== first)}
              value={second}
              onChange={(grouping) => set(first, grouping)}
            />
          </div>
        );
      },
      chips: noChips,
    },
    measure: {
      field: ({ value, onChange }) => (
        <PickMany
          label="Measures"
          width={136}
          options={[...measureOptions, ...kindOptions(kinds.list, measuresOf({ measure: value }))]}
          onRetry={kinds.retry}
          value={measuresOf({ measure: value })}
          onChange={(measures) => {
            const orderedMeasures = [
              ...reportMeasures.filter((measure) => measures.includes(measure)),
              ...measures.filter((measure) => readKindMeasure(measure) !== null),
            ];
            onChange(orderedMeasures.length === 0 || orderedMeasures.join() === defaultMeasures.join() ? undefined : orderedMeasures);
          }}
        />
      ),
      chips: noChips,
    },
    ratio: {
      field: ({ value, onChange }) => <OwnRatios value={value} kinds={kinds.list} onChange={onChange} />,
      chips: (texts) =>
        texts.map((text) => ({
          key: text,
          name: 'Ratio',
          value: readOwnRatio(text)?.name ?? text,
          rest: texts.length === 1 ? undefined : texts.filter((other) => other !== text),
        })),
    },
    compare: {
      field: ({ value, onChange }) => (
        <Dropdown
          label="Compare with"
          width={148}
          options={comparisonOptions}
          value={value}
          onChange={(comparison = 'none') => onChange(comparison)}
        />
      ),
      chips: noChips,
    },
    top: {
      addAs: 'Top groups',
      field: ({ value, onChange }) => (
        <Dropdown
          label="Show"
          width={176}
          placeholder="All groups"
          isClearable
          options={[...new Set([...usualTops, value ?? 3])]
            .toSorted((a, b) => a - b)
            .map((top) => ({ value: String(top), name: `Top ${top} and others` }))}
          value={value === undefined ? undefined : String(value)}
          onChange={(top) => onChange(top === undefined ? undefined : Number(top))}
        />
      ),
      chips: noChips,
    },
    least: {
      addAs: 'Minimum volume',
      field: ({ value, onChange }) => (
        <Dropdown
          label="Minimum volume"
          width={148}
          placeholder={`Default: ${reportLimits.fewest}`}
          isClearable
          options={[...new Set([...usualLeast, value ?? 1])]
            .toSorted((a, b) => a - b)
            .map((least) => ({ value: String(least), name: least === 1 ? 'Any' : groupedNumber(least) }))}
          value={value === undefined ? undefined : String(value)}
          onChange={(least) => onChange(least === undefined ? undefined : Number(least))}
        />
      ),
      chips: noChips,
    },
    invalid: {
      addAs: 'Duplicates and errors',
      field: ({ value, onChange }) => (
        <Dropdown
          label="Duplicates and errors"
          width={168}
          options={invalidOptions}
          value={value === true ? 'counted' : 'left out'}
          onChange={(choice) => onChange(choice === 'counted' ? true : undefined)}
        />
      ),
      chips: noChips,
    },
    pivot: { chips: noChips },
    appId: added('App', optionFilter('App', { options: apps ?? undefined, nameOf: (id) => nameOf('app', id) })),
    vertical: added('Vertical', manyFilter({ label: 'Vertical', width: 116, options: verticalOptions })),
    buyerId: added('Buyer', buyerId),
    geo: added('Geo', manyFilter({ label: 'Geo', width: 116, options: withNoCountry(countryOptions), nameOf: filteredCountryName })),
    type: added('Type', type),
    bot: added('Bot', bot),
    serverId: added(
      'Server',
      optionFilter('Server', { options: servers.list, retry: servers.retry, nameOf: (id) => nameOf('server', id) }),
    ),
    statusConversion: added(
      'Kind of conversion',
      manyFilter({ label: 'Kind of conversion', width: 168, options: kinds.list ?? [], onRetry: kinds.retry, nameOf: (kind) => kind }),
    ),
    search: { chips: (value) => [{ name: 'Search', value }] },
    ...streamChips((uid) => nameOf('stream', uid)),
    asn: { chips: (codes) => chipsOfMany('ASN', codes, (code) => asnText(code)) },
    geoNot: { chips: (codes) => chipsOfMany('Not Geo', codes, filteredCountryName) },
    statusConversionNot: { chips: (kindsNot) => chipsOfMany('Not kind of conversion', kindsNot, (kind) => kind) },
    typeNot: { chips: (types) => chipsOfMany('Not Type', types, filteredTypeName) },
    asnNot: { chips: (codes) => chipsOfMany('Not ASN', codes, (code) => asnText(code)) },
    botNot,
    ipNot,
    // Boards set them, where a list of values cannot say what both the board and the report choose.
    within: {
      chips: (texts) =>
        texts.map((text) => ({
          key: text,
          name: 'Also',
          value: textOfChips(severalFiltersOf({ within: [text] }).flatMap((further) => filterChips({ buyerId, bot, type }, further, {}))),
          rest: texts.length === 1 ? undefined : texts.filter((other) => other !== text),
        })),
    },
    startDate,
    endDate,
    period: { chips: noChips },
    // Its presets show the usual numbers.
    days: { chips: (days) => (lengths.some((preset) => preset.days === days) ? [] : [{ name: 'Days', value: `last ${days}` }]) },
  };
}

/** Filters in words. */
export function textOfChips(chips: readonly Pick<FilterChip, 'name' | 'value'>[]): string {
  const names = [...new Set(chips.map(({ name }) => name))];
  return names.map((name) => `${name} ${chips.flatMap((chip) => (chip.name === name ? [chip.value] : [])).join(', ')}`).join('; ');
}

const lengths = [
  { label: 'Today', meaning: 'Today', days: 1 },
  { label: '7 d', meaning: 'The last 7 days', days: 7 },
  { label: '30 d', meaning: 'The last 30 days', days: 30 },
  { label: '90 d', meaning: 'The last 90 days', days: 90 },
] as const;

const orders = [
  { by: 'value', label: 'Value', meaning: 'Order by value' },
  { by: 'change', label: 'Change', meaning: 'Order by change' },
  { by: 'percent', label: 'Change %', meaning: 'Order by change in percent' },
] as const;

/** Whether the second grouping makes the columns. */
function PivotSwitch({ values, apply }: Pick<FilterDraft<ReportPageQuery>, 'values' | 'apply'>) {
  if (groupingsOf(values).length < 2) return null;
  return (
    <PresetGroup label="Layout">
      <Preset
        label="Pivot"
        meaning="Show the second grouping as columns"
        isPressed={isPivot(values)}
        onPress={() => apply({ pivot: isPivot(values) ? undefined : true })}
      />
    </PresetGroup>
  );
}

/** Order of groups in a comparison. */
function OrderPresets({ values, apply }: Pick<FilterDraft<ReportPageQuery>, 'values' | 'apply'>) {
  if (values.compare === 'none') return null;
  const measures = measuresOf(values);
  const { by, column } = readOrder(
    orderOf(values, values.orderBy === undefined ? measures : [...measures, readOrder(values.orderBy).column]).orderBy,
  );
  const orderedColumn = column === 'key' ? (mainColumn(values, measures) ?? 'requests') : column;
  return (
    <PresetGroup label="Order">
      {orders.map(({ by: wanted, ...words }) => (
        <Preset
          key={wanted}
          {...words}
          isPressed={by === wanted}
          onPress={() => apply({ orderBy: wanted === 'value' ? orderedColumn : `${wanted}:${orderedColumn}` })}
        />
      ))}
    </PresetGroup>
  );
}

/** Ranges of days that one press or choice puts into effect. All of them move on with the clock. */
export function ReportPresets({ draft: { values, apply, isChanged } }: { draft: FilterDraft<ReportPageQuery> }) {
  const isOpen = values.startDate === undefined && values.endDate === undefined && values.period === undefined;
  const choose = (range: Partial<ReportPageQuery>): void =>
    apply({ startDate: undefined, endDate: undefined, period: undefined, days: reportLimits.usualDays, ...range });
  return (
    <>
      <PresetGroup>
        {lengths.map(({ days, ...words }) => (
          <Preset key={days} {...words} isPressed={isOpen && values.days === days} onPress={() => choose({ days })} />
        ))}
      </PresetGroup>
      <Dropdown
        label="Period"
        width={148}
        placeholder="Period"
        isClearable
        options={periodOptions}
        value={values.period}
        onChange={(period) => choose({ period })}
      />
      <PivotSwitch values={values} apply={apply} />
      <OrderPresets values={values} apply={apply} />
      {isChanged && reportSource(values) === 'events' && (
        <output className={classes['warning']}>
          <IconClockPause size={16} aria-hidden /> Reads individual events, which may take seconds
        </output>
      )}
    </>
  );
}
