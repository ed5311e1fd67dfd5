import { parseDateTime } from '@switchyard/contract/dates';

const day = 86_400_000;

/** How long a domain or a certificate still holds, in words and with its day. */
export function expiryText(at: string, now: Date, displayDate: (text: string) => string): { state: string; isOverdue: boolean } {
  const ahead = parseDateTime(at) / 1000 - now.getTime();
  const isOverdue = ahead <= 0;
  const days = Math.floor(Math.abs(ahead) / day);
  const span = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
  const [date = ''] = displayDate(at).split(' ');
  return { state: isOverdue ? `Expired ${span} ago, ${date}` : `Expires in ${span}, ${date}`, isOverdue };
}
