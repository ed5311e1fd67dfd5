import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import {
  answerOf,
  button,
  chooseDomain,
  decodeField,
  encode,
  encodedField,
  guide,
  input,
  notifications,
  ok,
  refusal,
  showPage,
  showTools,
} from './testing/render-dev-doc.tsx';

const heads = (): string[] =>
  page
    .getByRole('heading', { level: 2 })
    .elements()
    .map((head) => head.textContent);
/** Waits until exactly these notifications are shown, each once. */
const expectNotifications = (...texts: string[]) =>
  expect
    .poll(() =>
      notifications()
        .elements()
        .map((card) => card.textContent),
    )
    .toEqual(texts.map((text) => expect.stringContaining(text)));
const lastAsked = (calls: readonly { path: string; body: unknown }[], path: string) => calls.findLast((each) => each.path === path)?.body;
const expectMarked = async (field: ReturnType<typeof input>): Promise<void> => {
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  expect(getComputedStyle(field.element()).borderTopColor).toBe('rgb(176, 37, 37)');
};

describe('developer page', () => {
  it('[DEV-011, DEV-012, PERM-044, PERM-046] has for each permission its blocks, and asks for nothing else', async () => {
    const calls = await showPage(['manager_dev_request_encryption']);
    await expect.poll(heads).toEqual(['Calculate Request', 'Query']);
    expect(calls).toEqual([]);
    await page.getByRole('combobox', { name: 'App domain' }).click();
    await expect.poll(() => calls.map(({ path }) => path)).toEqual(['picks/apps']);
  });

  it('[DEV-010, DEV-011, DEV-012, PERM-044, PERM-046, S22] shows the guide in a frame that may do nothing', async () => {
    const createUrl = vi.fn((blob: Blob) => original(blob));
    const original = URL.createObjectURL.bind(URL);
    vi.spyOn(URL, 'createObjectURL').mockImplementation((part) => (part instanceof Blob ? createUrl(part) : ''));
    const calls = await showPage(['manager_dev_docs']);
    await expect.poll(heads).toEqual(['Mobile docs']);
    await expect.poll(() => calls.map(({ path }) => path)).toEqual(['docs/mobile']);
    const frame = page.getByTitle('Guide for developers of apps');
    await expect.element(frame).toHaveAttribute('sandbox', '');
    await expect.element(frame).toHaveAttribute('src', expect.stringMatching(/^blob:/));
    // The server's text as it came, but for the theme.
    expect(await createUrl.mock.calls.at(-1)?.[0].text()).toBe(guide.replace('<html ', '<html data-theme="light" '));
  });

  it('[DEV-010] says when the guide cannot be had, and tries again', async () => {
    let isAway = true;
    await showPage(['manager_dev_docs'], { answer: () => (isAway ? refusal(503, 'Database is unavailable, try again') : null) });
    await expect.element(page.getByRole('heading', { name: 'The guide could not be loaded' })).toBeVisible();
    isAway = false;
    await button('Try again').click();
    await expect.element(page.getByTitle('Guide for developers of apps')).toBeVisible();
  });
});

describe('Calculate Request', () => {
  it('[DEV-003, DEV-004, DEV-005, DEV-013] encodes the typed JSON, with a comma too many, and gives it to copy', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { calls } = await showTools();
    await expect.element(button('Encode')).toBeDisabled();
    await expect.element(button('Copy')).toBeDisabled();
    await encode('{"gaid": "7c1e", "list": [1, 2,],}');
    await expect.element(encodedField()).toHaveValue('E:{"gaid":"7c1e","list":[1,2]}');
    expect(lastAsked(calls, 'dev/encode')).toEqual({ data: { gaid: '7c1e', list: [1, 2] } });
    // It says so for a moment only, which a busy machine may spend elsewhere.
    stopClock();
    await button('Copy').click();
    await expect.element(button('Copied')).toBeVisible();
    expect(writeText).toHaveBeenCalledExactlyOnceWith('E:{"gaid":"7c1e","list":[1,2]}');
  });

  it('[DEV-014] uses the content of body_request by itself, and says so', async () => {
    const { calls } = await showTools();
    await encode('{"id": 4, "body_request": {"gaid": "7c1e"}}');
    await expect.element(page.getByText('body_request was encoded')).toBeVisible();
    expect(lastAsked(calls, 'dev/encode')).toEqual({ data: { gaid: '7c1e' } });
    await encode('{"id": 4}');
    await expect.poll(() => lastAsked(calls, 'dev/encode')).toEqual({ data: { id: 4 } });
    expect(page.getByText('body_request was encoded').elements()).toHaveLength(0);
  });

  it('[AMB-158] encodes on Enter and not while typing; Shift and Enter begins a new line', async () => {
    const { calls } = await showTools();
    await input().click();
    await userEvent.keyboard('1{Shift>}{Enter}{/Shift}');
    await expect.element(input()).toHaveValue('1\n');
    expect(calls.map(({ path }) => path)).not.toContain('dev/encode');
    await userEvent.keyboard('{Enter}');
    await expect.element(encodedField()).toHaveValue('E:1');
    await expect.element(input()).toHaveValue('1\n');
  });

  it('[DEV-015, DEV-016, DEV-017, ERR-026] marks broken JSON, clears the result and notifies; nothing is sent', async () => {
    const { calls } = await showTools();
    await encode('{"gaid": "7c1e"}');
    await expect.element(encodedField()).toHaveValue('E:{"gaid":"7c1e"}');
    const before = calls.length;
    await encode('{"gaid" 7c1e}');
    await expectMarked(input());
    await expect.element(encodedField()).toHaveValue('');
    await expectNotifications('position 8');
    expect(calls).toHaveLength(before);
    await input().fill('{"gaid": 1}');
    await expect.element(input()).not.toHaveAttribute('aria-invalid', 'true');
  });

  it('[DEV-015, DEV-017] says of what is too deep or too large what the server would, without asking it', async () => {
    const { calls } = await showTools();
    await encode(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
    await expectMarked(input());
    await expectNotifications('The data field is nested too deeply.');
    expect(calls.map(({ path }) => path)).not.toContain('dev/encode');
  });

  it('[DEV-005] marks the field that the server rejects, once and with its text; faults of the server mark nothing', async () => {
    const errors = { data: ['The data field is too large.'] };
    const answers = [
      refusal(422, 'The given data was invalid.', { errors, data: { errors } }),
      refusal(503, 'Database is unavailable, try again'),
    ];
    await showTools({ answer: (path) => (path === 'dev/encode' ? (answers.shift() ?? null) : null) });
    await encode('1');
    await expectMarked(input());
    await expectNotifications('The data field is too large.');
    await encode('2');
    // The newer result of the same action takes the place of the one before.
    await expectNotifications('Database is unavailable, try again');
    await expect.element(input()).not.toHaveAttribute('aria-invalid', 'true');
  });

  it('[DEV-004, DEV-018] takes a result back when the input changes, also one that is still under way', async () => {
    const late = Promise.withResolvers<Response>();
    let isLate = false;
    await showTools({ answer: (path) => (path === 'dev/encode' && isLate ? late.promise : null) });
    await encode('1');
    await expect.element(encodedField()).toHaveValue('E:1');
    isLate = true;
    await encode('2');
    await input().fill('3');
    await expect.element(encodedField()).toHaveValue('');
    late.resolve(ok('E:2'));
    await expect.element(button('Encode')).not.toHaveAttribute('aria-busy');
    await expect.element(encodedField()).toHaveValue('');
  });
});

describe('Query', () => {
  it('[DEV-006, DEV-018, DEV-019] sends only what is encoded, to a domain that was chosen', async () => {
    const { queries } = await showTools();
    const send = button('Send');
    await expect.element(send).toBeDisabled();
    await encode('{"gaid": "7c1e"}');
    await expect.element(encodedField()).toHaveValue('E:{"gaid":"7c1e"}');
    await expect.element(send).toBeDisabled();
    await chooseDomain('goal-rush.example (Goal Rush)');
    await expect.element(send).toBeEnabled();
    await input().fill('{');
    await expect.element(send).toBeDisabled();
    expect(queries).toEqual([]);
  });

  it("[DEV-007, DEV-008, DEV-009] sends the encoded string, decodes the answer's and shows it as lines", async () => {
    const { queries, calls } = await showTools();
    await encode('{"gaid": "7c1e"}');
    await chooseDomain('acme-bet.example (Acme Bet)');
    await expect.element(page.getByText('https://acme-bet.example/api/dev')).toBeVisible();
    await button('Send').click();
    const decodedRegion = page.getByRole('region', { name: 'Decoded' });
    await expect.element(decodedRegion).toBeVisible();
    expect(decodedRegion.element().querySelector('pre')?.textContent.split('\n')).toEqual([
      'domain: acme-bet.example',
      'received: {"text":"E:{\\"gaid\\":\\"7c1e\\"}"}',
      'time: 2026-11-20 10:11:12',
    ]);
    expect(queries).toEqual([{ domain: 'acme-bet.example', text: 'E:{"gaid":"7c1e"}' }]);
    expect(lastAsked(calls, 'dev/decode')).toEqual({ data: expect.stringMatching(/^E:\{"domain"/) });
  });

  it('gives the request as a command, without anything of the session', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await showTools();
    await chooseDomain('acme-bet.example (Acme Bet)');
    await expect.element(button('Copy as cURL')).toBeDisabled();
    await encode('1');
    await button('Copy as cURL').click();
    await expect
      .poll(() => writeText.mock.calls)
      .toEqual([['curl -X POST "https://acme-bet.example/api/dev" -H "Content-Type: text/plain" --data-raw "E:1"']]);
  });

  it.each([
    [
      'a host that is down',
      { kind: 'unreachable' } as const,
      'acme-bet.example cannot be reached, or does not let the console read its answer',
    ],
    ['a redirect', { kind: 'redirect' } as const, 'acme-bet.example answers with a redirect, which is not followed'],
    [
      'a page',
      answerOf('<!doctype html><h1>Hotel</h1>', 200, 'text/html'),
      'acme-bet.example answered with status 200 and text/html, not with an encoded string',
    ],
    ['a refusal', answerOf('{"success":false,"message":"Not found"}', 404), 'acme-bet.example answered with status 404: Not found'],
  ])('[DEV-020, ERR-027, AMB-160] marks the decode field and notifies once for %s', async (_, outcome, message) => {
    const { calls } = await showTools({ outcome: () => outcome });
    await encode('1');
    await chooseDomain('acme-bet.example (Acme Bet)');
    await button('Send').click();
    await expectMarked(decodeField());
    await expectNotifications(message);
    expect(calls.map(({ path }) => path)).not.toContain('dev/decode');
    expect(page.getByRole('region', { name: 'Decoded' }).elements()).toHaveLength(0);
  });

  it('[DEV-021, ERR-027] marks the decode field and notifies once when the answer cannot be decoded; what is put there by hand can be', async () => {
    await showTools({
      answer: (path, body) =>
        path === 'dev/decode' && !JSON.stringify(body).includes('{}') ? refusal(400, 'The string cannot be decoded') : null,
    });
    await encode('1');
    await chooseDomain('acme-bet.example (Acme Bet)');
    await button('Send').click();
    await expectMarked(decodeField());
    await expectNotifications('The string cannot be decoded');
    await decodeField().fill(' E:{}\n');
    await expect.element(decodeField()).not.toHaveAttribute('aria-invalid', 'true');
    await button('Decode').click();
    await expect.element(page.getByRole('region', { name: 'Decoded' })).toMatchTextContent(/\{\}/);
  });

  it('[DEV-009] shows the beginning of a very long answer, and all of it when asked', async () => {
    await showTools();
    await decodeField().fill(`E:${JSON.stringify({ text: 'x'.repeat(10_000) })}`);
    await button('Decode').click();
    const shownLength = () => page.getByRole('region', { name: 'Decoded' }).element().querySelector('pre')?.textContent.length;
    await expect.poll(shownLength).toBe(4_001);
    await button('Show all 10,006 characters').click();
    await expect.poll(shownLength).toBe(10_006);
  });

  it('[DEV-006, DEV-019] says when the frame or the apps cannot be loaded, and tries again', async () => {
    let isAway = true;
    await showTools({
      isFrameAway: () => isAway,
      answer: (path) => (path.startsWith('picks/apps') && isAway ? refusal(503, 'Database is unavailable, try again') : null),
    });
    const domains = page.getByRole('combobox', { name: 'App domain' });
    await domains.click();
    await expect.element(page.getByText(/The options could not be loaded/)).toBeVisible();
    isAway = false;
    await button('Retry').click();
    await expect.element(page.getByRole('option').first()).toBeVisible();
    await domains.click();
    await encode('1');
    isAway = true;
    await chooseDomain('acme-bet.example (Acme Bet)');
    await expect.element(page.getByText(/Requests cannot be sent to this domain/)).toBeVisible();
    await expect.element(button('Send')).toBeDisabled();
    isAway = false;
    await button('Try again').click();
    await expect.element(button('Send')).toBeEnabled();
  });
});
