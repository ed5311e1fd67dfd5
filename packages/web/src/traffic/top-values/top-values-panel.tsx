import type { AllRequestFilters } from '@switchyard/contract/requests';
import { z } from 'zod';
import { localSettings } from '../../shared/local-settings.ts';
import { CollapsiblePanel } from '../collapsible-panel.tsx';
import type { TopCalls } from './top-calls.ts';
import { TopCard } from './top-card.tsx';
import classes from './top-values.module.css';

const isOpenSetting = localSettings.json('top_values_open', z.boolean());

type Props = {
  /** The list's name: reading the list again counts again. */
  listName: string;
  filters: AllRequestFilters;
  calls: TopCalls;
};

/** The most frequent values of each field under a list's filters. Nothing is counted while it is closed. */
export function TopValuesPanel({ listName, filters, calls }: Props) {
  return (
    <CollapsiblePanel title="Top values" setting={isOpenSetting} isOpenAtFirst={false}>
      <div className={classes['cards']}>
        {calls.map(({ field, load }) => (
          <TopCard key={field} field={field} listName={listName} filters={filters} load={load} />
        ))}
      </div>
    </CollapsiblePanel>
  );
}
