/** The pages of scheduled reports, which are one file for the browser. */
export { CreateSchedulePage, EditSchedulePage } from './schedule-form-pages.tsx';
export { AllSchedulesPage, ReceivedSchedulesPage } from './foreign-schedules-page.tsx';
export { SchedulesPage } from './schedules-page.tsx';
