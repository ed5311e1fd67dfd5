import type { Page } from 'puppeteer-core';

/**
 * Rewrites what the pages of a window read from the API from now on: names become 80 characters without a space, some of
 * them from right to left, and counts become billions. The beginning of Latin texts stays, so that screens find their rows.
 */
export async function sendHostileAnswers(page: Page): Promise<void> {
  // Runs in the page: it can use nothing from around it.
  await page.evaluateOnNewDocument(() => {
    const nameKeys = /^(name|label|username|title|stream|registrar|region|entity_label|description_text|reason|.*_name|bundle|app_bundle)$/;
    const countKeys =
      /^(all|success|total|count|requests|requests_success|pushes|pushes_delivered|conversions|bots|creates|receives|clients|value_count|users_count|today|yesterday|requests_yesterday|.*_requests)$/;
    /** Texts that only look like names: permissions, levels of a log, the pages of a list; the console computes with these. */
    const fixedKeys = /^(pagination|permissions|levels)$/;
    /** Permissions and log levels. */
    const constants = /^(manager_.*|all|emergency|alert|critical|error|warning|notice|info|debug)$/i;
    const filler = 'Wide'.repeat(20);
    const isFixed = (path: readonly string[]): boolean => path.some((key) => fixedKeys.test(key));
    const fill = (text: string, to: number): string => `${text.replaceAll(/\s/g, '')}${filler}`.slice(0, Math.max(to, text.length));
    const rightToLeft = 'مديرالاتحادالدوليلكرةالقدم';
    const hostileName = (text: string): string =>
      // Servers are found by the beginning of their names.
      text.length % 3 === 0 && !text.startsWith('edge') ? rightToLeft.repeat(4).slice(0, 80) : fill(text, 80);

    function hostile(value: unknown, path: readonly string[]): unknown {
      const key = path.at(-1) ?? '';
      if (Array.isArray(value)) return value.map((one: unknown) => hostile(one, path));
      if (value !== null && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one, [...path, name])]));
      if (isFixed(path)) return value;
      if (typeof value === 'number')
        return Number.isInteger(value) && value > 0 && countKeys.test(key) ? 1_000_000_000 + value * 12_345 : value;
      if (typeof value !== 'string' || value === '') return value;
      // The developer page sends to this one.
      if (key === 'domain' && value.startsWith('goal-rush')) return value;
      if (key === 'domain') return value.replace(/^[^.]+/, (label) => fill(label, 63).toLowerCase());
      if (key === 'email') return value.replace(/^[^@]+/, (local) => fill(local, 60).toLowerCase());
      if (key === 'client_uid') return fill(value, 80);
      if (key === 'bundle' || key === 'app_bundle') return fill(value, 80);
      return nameKeys.test(key) && !constants.test(value) ? hostileName(value) : value;
    }

    const send = globalThis.fetch;
    globalThis.fetch = async (...input) => {
      const answer = await send(...input);
      const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
      // Log levels and verticals are constants, and the developer page shows exactly what was sent.
      if (!isJson || answer.status === 204 || /\/(levels|verticals\/list|dev)(\?|$)/.test(answer.url)) return answer;
      const { status, headers } = answer;
      return new Response(JSON.stringify(hostile(await answer.json(), [])), { status, headers });
    };
  });
}
