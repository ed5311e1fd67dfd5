import { seededRandom, type Random } from './seeded-random.ts';

/** A push of a campaign, sent to many clients. */
export type CampaignPush = { campaignUid: string; pushId: string; name: string; message: string };

const welcomes = [
  ['Welcome', 'Glad you are here', 'Your first bonus is waiting in the lobby.'],
  ['Welcome gift', 'A gift to begin with', 'Open the app today and take 50 free spins.'],
] as const;
const reminders = [
  ['Come back', 'We kept your seat', 'Your table is still free. Play on where you stopped.'],
  ['Weekend cup', 'The weekend cup starts', 'Join before Saturday noon and double your points.'],
  ['Daily reward', 'Day 3 in a row', 'Take your reward before midnight.'],
  ['Match alert', 'Kick-off in 30 minutes', 'See the odds of tonight and place your pick.'],
  ['Price alert', 'Your watch list moved', 'Three of your assets moved by more than 5 %.'],
] as const;

/** A welcome of the app, for a client that has just told its push token. */
export function welcomePush(bundle: string): CampaignPush {
  return campaignPush(bundle, 'welcome', welcomes);
}

/** One of the app's reminders, which change from week to week. */
export function reminderPush(bundle: string, week: number, random: Random): CampaignPush {
  return campaignPush(bundle, `reminder ${week} ${random.integer(0, 2)}`, reminders);
}

function campaignPush(bundle: string, which: string, texts: readonly (readonly [string, string, string])[]): CampaignPush {
  const random = seededRandom('campaign', bundle, which);
  const [name, title, body] = random.pick(texts);
  const image = random.chance(0.8) ? { image: `https://images.example/push/${random.hex(8)}.png` } : {};
  const pushId = `p-${random.integer(1_000, 9_999)}`;
  const link = { deep_link: `app://${bundle}/${random.pick(['lobby', 'bonus', 'wallet'])}` };
  // Some campaigns hand in plain text: not every message is a notification.
  const message = random.chance(0.04) ? `${title}: ${body}` : JSON.stringify({ notification: { title, body, ...image }, data: link });
  return { campaignUid: `pc-${random.hex(6)}`, pushId, name, message };
}
