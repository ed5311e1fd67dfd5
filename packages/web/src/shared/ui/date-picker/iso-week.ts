const dayMs = 86_400_000;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const weekForm = /^(\d{4})-(\d{2})$/;

/** Midnight UTC of a day `YYYY-MM-DD`; NaN for a day that does not exist. */
function timeOf(day: string): number {
  const time = dayForm.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // A day such as 31 February may roll over into March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? time : Number.NaN;
}

/** Monday 1, … Sunday 7. */
function weekdayOf(time: number): number {
  return new Date(time).getUTCDay() || 7;
}

/** The Monday of the first week of a year: the one with 4 January in it (ISO 8601). */
function firstMonday(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - (weekdayOf(fourth) - 1) * dayMs;
}

/**
 * The ISO week `YYYY-ww` of a day `YYYY-MM-DD`: its year is the one that the week's Thursday lies in, so 2027-01-01 is
 * in 2026-53 (WID-044, AMB-042). Null for text that is no day.
 */
export function isoWeekOf(day: string): string | null {
  const time = timeOf(day);
  if (Number.isNaN(time)) return null;
  const thursday = time + (4 - weekdayOf(time)) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - firstMonday(year)) / (7 * dayMs));
  return `${String(year).padStart(4, '0')}-${String(week).padStart(2, '0')}`;
}

/** The Monday `YYYY-MM-DD` of an ISO week `YYYY-ww`; null for a week that does not exist. */
export function mondayOf(week: string): string | null {
  const match = weekForm.exec(week);
  if (match === null) return null;
  const monday = new Date(firstMonday(Number(match[1])) + (Number(match[2]) - 1) * 7 * dayMs).toISOString().slice(0, 10);
  return isoWeekOf(monday) === week ? monday : null;
}

/** The Sunday `YYYY-MM-DD` of an ISO week; null for a week that does not exist. */
export function sundayOf(week: string): string | null {
  const monday = mondayOf(week);
  return monday === null ? null : new Date(timeOf(monday) + 6 * dayMs).toISOString().slice(0, 10);
}
