/** Tabs of the incidents page, as `startTabName` names them. */
export const incidentTabs = { incidents: 'Incidents', rules: 'Rules', silences: 'Silences' } as const;
