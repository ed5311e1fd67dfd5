import { useDayParam } from '../../shared/navigation.tsx';
import { LogDay } from './log-day.tsx';
import { appLogs, consoleLogs, type LogSource } from './log-source.ts';
import { MissingDay } from './missing-day.tsx';

/** A day of the console's own log (LOG-001, LOG-003). */
export function LogPage() {
  return <DayPage source={consoleLogs} />;
}

/** A day of the log of the app service (LOG-002, LOG-030). */
export function AppLogPage() {
  return <DayPage source={appLogs} />;
}

function DayPage({ source }: { source: LogSource }) {
  const date = useDayParam();
  return date === null ? <MissingDay source={source} date={null} /> : <LogDay key={date} source={source} date={date} />;
}
