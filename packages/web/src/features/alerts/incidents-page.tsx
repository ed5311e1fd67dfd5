import { Page } from '../../shared/page/page.tsx';
import { RouteTabs } from '../../shared/page/route-tabs.tsx';
import { incidentTabs } from './incident-tabs.ts';
import { IncidentsTab } from './incidents-tab.tsx';
import { RulesTab } from './rules-tab.tsx';
import { SilencesTab } from './silences-tab.tsx';

const names = Object.values(incidentTabs);

/** Incidents, the rules that they follow from, and silences. */
export function IncidentsPage() {
  return (
    <Page>
      <RouteTabs names={names} label="Alerts">
        {(name) => {
          if (name === incidentTabs.rules) return <RulesTab />;
          return name === incidentTabs.silences ? <SilencesTab /> : <IncidentsTab />;
        }}
      </RouteTabs>
    </Page>
  );
}
