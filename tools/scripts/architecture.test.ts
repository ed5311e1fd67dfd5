import { describe, expect, it } from 'vitest';
import { architectureBreaches, longFiles, type SourceFile } from './architecture-rules.ts';
import { readSourceFiles } from './source-files.ts';

const file = (path: string, text: string): SourceFile => ({ path, text });

describe('architecture', () => {
  it('holds in the whole repository', () => {
    const files = readSourceFiles();
    expect(files.length).toBeGreaterThan(30);
    expect(architectureBreaches(files)).toEqual([]);
  });

  it.each([
    ['contract on the server', file('packages/contract/src/a.ts', "import { x } from 'pg';\n")],
    ['demo on api', file('packages/demo/src/a.ts', "import { x } from '@switchyard/api/x';\n")],
    ['embedded-postgres on api', file('packages/embedded-postgres/src/a.ts', "import { x } from '@switchyard/api/x';\n")],
    ['web on api', file('packages/web/src/shared/a.ts', "import { x } from '@switchyard/api/x';\n")],
    ['shared on a feature', file('packages/web/src/shared/a.ts', "import { x } from '../features/apps/x.ts';\n")],
    ['shared on traffic', file('packages/web/src/shared/a.ts', "import { x } from '../traffic/x.ts';\n")],
    ['traffic on a feature', file('packages/web/src/traffic/postbacks/a.ts', "import { x } from '../../features/apps/x.ts';\n")],
    ['traffic on the shell', file('packages/web/src/traffic/a.ts', "import { x } from '../shell/x.ts';\n")],
    ['feature on the shell', file('packages/web/src/features/apps/a.ts', "import { x } from '../../shell/x.ts';\n")],
    ['ui kit on the contract', file('packages/web/src/shared/ui/a.ts', "import { x } from '@switchyard/contract/apps';\n")],
    ['web feature on another', file('packages/web/src/features/apps/a.ts', "import { x } from '../roles/x.ts';\n")],
    ['api feature on the inside of another', file('packages/api/src/features/apps/a.ts', "import { x } from '../roles/roles-store.ts';\n")],
    ['sessions on sign-in', file('packages/api/src/features/sessions/a.ts', "import { x } from '../sign-in/open-session-lookup.ts';\n")],
    ['service on Fastify', file('packages/api/src/features/apps/apps-service.ts', "import { x } from 'fastify';\n")],
    ['service on the driver', file('packages/api/src/features/apps/apps-service.ts', "import { x } from 'pg';\n")],
    ['the database on a feature', file('packages/api/src/database/a.ts', "import { x } from '../features/apps/x-lookup.ts';\n")],
    ['env.ts on an adapter', file('packages/api/src/env.ts', "import { x } from './adapters/x.ts';\n")],
    ['the traffic store on its copy', file('packages/traffic-store/src/a.ts', "import { x } from './copy/x.ts';\n")],
    ['accounts on traffic', file('packages/api/src/features/accounts/a.ts', "import { x } from '../streams/streams-lookup.ts';\n")],
    ['an engine of events outside', file('packages/api/src/a.ts', "import { x } from '@switchyard/traffic-store/clickhouse/schema';\n")],
    [
      'the opening of stores in a feature',
      file('packages/api/src/features/a.ts', "import { x } from '@switchyard/traffic-store/open-traffic-store';\n"),
    ],
    ['the traffic store on the api', file('packages/traffic-store/src/a.ts', "import { x } from '../../api/src/errors.ts';\n")],
    ['production on tests', file('packages/api/src/a.ts', "import { x } from './b.test.ts';\n")],
    ['environment outside env.ts', file('packages/api/src/a.ts', 'const x = process.env.PORT;\n')],
    ['storage outside its owner', file('packages/web/src/shared/a.ts', "localStorage.getItem('x');\n")],
    ['a transaction of its own', file('packages/api/src/features/apps/apps-store.ts', 'return db.transaction().execute(write);\n')],
    ['a statement without a transaction', file('packages/api/src/a.ts', 'await sql`delete from apps`.execute(db);\n')],
    ['a write without a transaction', file('packages/api/src/a.ts', "await db\n  .deleteFrom('apps').execute();\n")],
    ['a command in a file of routes', file('packages/api/src/features/apps/create-apps.ts', 'await transaction(db, write);\n')],
    ['a script on an end-to-end test', file('tools/scripts/a.ts', "import { x } from '../e2e/x.ts';\n")],
    ['another verb of a store', file('packages/api/src/features/apps/apps-store.ts', 'export async function fetchApps() {}\n')],
    ['another verb of a store of traffic', file('packages/traffic-store/src/event-store.ts', '  readEvents(): void;\n')],
    ['a vague name', file('packages/api/src/utils.ts', '')],
  ])('finds %s', (_name, breach) => {
    expect(architectureBreaches([breach])).toHaveLength(1);
  });

  it('warns of files over 400 lines and tests over 600', () => {
    const lines = (path: string, count: number) => file(path, '\n'.repeat(count));
    const sizes = [lines('packages/api/src/a.ts', 401), lines('packages/api/src/b.ts', 400), lines('packages/api/src/c.test.ts', 600)];
    expect(longFiles(sizes)).toEqual(['packages/api/src/a.ts: 401 lines (more than 400); does it still hold one idea?']);
    expect(longFiles([lines('packages/api/src/c.test.ts', 601)])).toHaveLength(1);
  });

  it.each(["import { a } from './a.ts';\n", "export const a = () => import('./a.ts');\n"])(
    'finds a circle of imports once, also of types and lazy ones: %s',
    (last) => {
      const way = (from: string, text: string) => file(`packages/api/src/${from}.ts`, text);
      const files = [way('a', "import { b } from './b.ts';\n"), way('b', "import type { C } from './c.ts';\n"), way('c', last)];
      expect(architectureBreaches(files)).toEqual([
        'a circle: packages/api/src/a.ts imports packages/api/src/b.ts imports packages/api/src/c.ts imports packages/api/src/a.ts',
      ]);
    },
  );

  it.each(['features/incidents/silence-dialog.tsx', 'traffic/events/event-tab.tsx'])('finds a subject of two names: %s', (screen) => {
    const files = [file('packages/api/src/features/alerts/create-alerts.ts', ''), file(`packages/web/src/${screen}`, '')];
    expect(architectureBreaches(files)).toHaveLength(1);
  });

  it('allows parts of lists beside the subjects of traffic, and what gathers several subjects', () => {
    const files = ['api/src/features/postbacks/a.ts', 'web/src/traffic/live/live-toggle.tsx', 'web/src/features/own-account/own-page.tsx'];
    expect(architectureBreaches(files.map((path) => file(`packages/${path}`, '')))).toEqual([]);
  });

  it('allows the web to import inwards', () => {
    const inwards = [
      file('packages/web/src/shell/a.ts', "import { x } from '../traffic/x.ts';\n"),
      file('packages/web/src/features/apps/a.ts', "import { x } from '../../traffic/x.ts';\n"),
      file('packages/web/src/traffic/postbacks/a.ts', "import { x } from '../../shared/x.ts';\n"),
    ];
    expect(architectureBreaches(inwards)).toEqual([]);
  });

  it('allows a lookup of another feature', () => {
    expect(
      architectureBreaches([file('packages/api/src/features/apps/a.ts', "import { x } from '../streams/streams-lookup.ts';\n")]),
    ).toEqual([]);
  });
});
