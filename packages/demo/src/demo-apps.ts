import type { cloakModes } from '@switchyard/contract/apps';
import { seededRandom } from './seeded-random.ts';

/** An app of the demo; days count from the day it is loaded. */
export type DemoApp = {
  name: string;
  bundle: string;
  domain: string;
  vertical: string;
  /** Days until the domain expires, negative when it has; null when nobody noted it. */
  expiresInDays: number | null;
  archived: boolean;
  /** The app in the outside monitor; null if it is not monitored. */
  monitor: { name: string; status: string } | null;
  keys: 'mmp_appsflyer' | 'google_analytics' | 'none';
  cloakMode: (typeof cloakModes)[number];
  /** Share of the demo's traffic relative to the other apps; 0 gets none. */
  weight: number;
};

type Line = readonly [name: string, word: string, vertical: string, expiresInDays: number | null, marks: string, weight: number];

/**
 * Marks: `x` archived, `m` monitor ok, `w` monitor warns, `b` monitor says banned, `g` Google Analytics keys,
 * `n` no keys, `c` Adspect cloak, `k` MagicChecker cloak, `o` no cloak.
 */
const lines: readonly Line[] = [
  ['Lucky Harbor', 'lucky-harbor', 'casino', 214, 'm', 30],
  ['Goal Rush', 'goal-rush', 'bet', 121, 'mg', 26],
  ['Spin Meadow', 'spin-meadow', 'social_casino', 88, '', 22],
  ['Golden Compass Fantasy League Manager', 'golden-compass-fantasy', 'fantasy', 305, 'm', 19],
  ['Coin Atlas', 'coin-atlas', 'finance', 5, 'g', 17],
  ['Royal Ledger', 'royal-ledger', 'finance', 61, 'c', 15],
  ['Derby Night', 'derby-night', 'bet', 2, 'w', 14],
  ['Ruby Reels', 'ruby-reels', 'casino', 43, '', 13],
  ['Slots of Avalon', 'slots-of-avalon', 'social_casino', -3, 'm', 12],
  ['Striker Eleven', 'striker-eleven', 'fantasy', 150, '', 11],
  ['Bet Compass', 'bet-compass', 'bet', 12, 'k', 10],
  ['Velvet Table', 'velvet-table', 'casino', 340, 'm', 9.5],
  ['Aztec Spins', 'aztec-spins', 'casino', 29, '', 9],
  ['Penny Wise Wallet', 'penny-wise-wallet', 'finance', 77, 'g', 8.5],
  ['Hat Trick Hero', 'hat-trick-hero', 'fantasy', null, '', 8],
  ['Odds Orchard', 'odds-orchard', 'bet', 190, 'm', 7.5],
  ['Neon Jackpot', 'neon-jackpot', 'social_casino', 6, 'b', 7],
  ['Tiger Dice', 'tiger-dice', 'casino', 95, '', 6.5],
  ['Match Point Picks', 'match-point-picks', 'bet', 58, 'g', 6],
  ['Bingo Valley', 'bingo-valley', 'social_casino', 233, '', 5.5],
  ['Draft Day Dynasty', 'draft-day-dynasty', 'fantasy', 17, 'o', 5],
  ['Silver Saddle', 'silver-saddle', 'bet', -40, 'w', 4.7],
  ['Emerald Poker Room', 'emerald-poker-room', 'casino', 112, '', 4.4],
  ['Crypto Canary', 'crypto-canary', 'finance', 4, 'n', 4.1],
  ['Pharaoh Fortune', 'pharaoh-fortune', 'social_casino', 264, 'm', 3.8],
  ['Corner Kick Cup', 'corner-kick-cup', 'bet', 71, '', 3.5],
  ['Moonlight Roulette', 'moonlight-roulette', 'casino', 36, 'c', 3.2],
  ['Budget Beacon', 'budget-beacon', 'finance', 180, 'g', 2.9],
  ['Wicket Wizards', 'wicket-wizards', 'fantasy', 49, '', 2.6],
  ['Grand Prix Picks', 'grand-prix-picks', 'bet', null, 'm', 2.3],
  ['Candy Reels Party', 'candy-reels-party', 'social_casino', 128, '', 2],
  ['Knockout Odds', 'knockout-odds', 'bet', 22, '', 1.7],
  ['Savings Sherpa', 'savings-sherpa', 'finance', 300, 'n', 1.4],
  ['Blackjack Boulevard', 'blackjack-boulevard', 'casino', 3, '', 1.1],
  ['Playoff Prophet', 'playoff-prophet', 'fantasy', 84, 'n', 0.7],
  ['Fruit Frenzy Classic', 'fruit-frenzy-classic', 'social_casino', 9, 'x', 0.6],
  ['Turf Tips', 'turf-tips', 'bet', -120, 'x', 0.4],
  ['Lotus Casino', 'lotus-casino', 'casino', -15, 'xw', 0.3],
  ['Fund Falcon', 'fund-falcon', 'finance', null, 'xn', 0],
  ['Puck Drop Pro', 'puck-drop-pro', 'fantasy', 365, 'n', 0],
];

/** Roughly the busiest last, so that the newest apps, which the list shows first, have something to show. */
const inOrder = lines
  .map((line, rank) => ({ line, place: rank + seededRandom('place', line[1]).integer(0, 9) }))
  .sort((a, b) => b.place - a.place)
  .map(({ line }) => line);

/** The forty apps of the demo, in the order in which they were added; every colour of the list occurs. */
export const demoApps: readonly DemoApp[] = inOrder.map(([name, word, vertical, expiresInDays, marks, weight]) => ({
  name,
  bundle: `com.${word.replaceAll('-', '')}.app`,
  domain: `${word}.example`,
  vertical,
  expiresInDays,
  archived: marks.includes('x'),
  monitor: monitorOf(word, marks),
  keys: marks.includes('g') ? 'google_analytics' : marks.includes('n') ? 'none' : 'mmp_appsflyer',
  cloakMode: marks.includes('c') ? 'custom' : marks.includes('k') ? 'magic_checker' : marks.includes('o') ? 'none' : 'default',
  weight,
}));

function monitorOf(word: string, marks: string): DemoApp['monitor'] {
  const status = marks.includes('m') ? 'ok' : marks.includes('w') ? 'warning' : marks.includes('b') ? 'banned' : null;
  return status && { name: `${word.replaceAll('-', '_')}_bot`, status };
}
