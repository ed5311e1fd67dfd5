/** The pages of alerts. They are one file for the browser, because each file more costs the sign-in page its name. */
export { IncidentPage } from './incident-page.tsx';
export { IncidentsPage } from './incidents-page.tsx';
export { CreateRulePage, EditRulePage } from './rule-form-pages.tsx';
