import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords } from '../../api/test/build-test-api.ts';
import { listenForTest } from '../../api/test/listening-api.ts';
import { signInAs } from '../../api/test/sign-in-as.ts';
import { createTestDatabase } from '../../api/test/test-database.ts';
import { compileAgainst } from './check-program.ts';

const program = join(import.meta.dirname, 'client-program.ts');
const text = readFileSync(program, 'utf8');
const account = { email: 'typed@example.com', password: 'long-enough-to-guess-1' };

/** Mistakes of a caller: the right text in the program, the wrong one, and the compiler's message. */
const mistakes: readonly (readonly [what: string, right: string, wrong: string, error: RegExp])[] = [
  ['a path that does not exist', "GET('/api/apps',", "GET('/api/app',", /"\/api\/app"/],
  ['a method that the path does not have', "DELETE('/api/apps/{id}'", "POST('/api/apps/{id}'", /"\/api\/apps\/\{id\}"/],
  ['a query parameter that does not exist', "{ search: name, status: 'active' }", '{ serach: name }', /'serach' does not exist/],
  ['a value outside its choices', "status: 'active'", "status: 'live'", /'"live"' is not assignable/],
  ['a missing path parameter', '{ params: { path: { id: String(id) } } }', '{}', /'params' is missing/],
  ['a misspelt field of a body', "vertical: 'bet'", "verticle: 'bet'", /'verticle' does not exist/],
  ['a field that an answer does not have', '(app) => app.name', '(app) => app.title', /'title' does not exist/],
  ['an answer that is read before its error', 'foundApps.data?.data', 'foundApps.data.data', /possibly 'undefined'/],
];

describe('a client generated from the OpenAPI document', () => {
  let url = '';
  let diagnostics: string[][] = [];

  beforeAll(async () => {
    const { databases } = await createTestDatabase();
    const api = await buildTestApi({ databases });
    url = await listenForTest(api.app);
    await signInAs(databases, {
      role: 'Super Admin',
      email: account.email,
      passwordHash: await testPasswords.hash(account.password),
    });
    const document = await (await fetch(`${url}/api/openapi.json`)).text();
    diagnostics = await compileAgainst(document, [text, ...mistakes.map(([, right, wrong]) => text.replace(right, wrong))]);
    return () => api.app.close();
  });

  it('[API-003] compiles a program that signs in, lists, creates and deletes', () => {
    expect(diagnostics[0]).toEqual([]);
  });

  it.each(mistakes.map(([what, right, , error], index) => [what, right, error, index + 1] as const))(
    '[API-003] does not compile %s',
    (_what, right, error, index) => {
      expect(text).toContain(right);
      expect(diagnostics[index]?.join('\n')).toMatch(error);
    },
  );

  it('[API-003] does in a process of its own what the types promise', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, url, account.email, account.password, 'Typed app']);
    expect(JSON.parse(stdout)).toEqual({
      account: account.email,
      created: 201,
      taken: { status: 422, message: expect.any(String), fields: ['bundle', 'domain', 'name'] },
      found: { names: ['Typed app'], total: 1 },
      removed: 204,
      left: 0,
      archivedAt: ['string'],
    });
  });
});
