import { readFileSync } from 'node:fs';
import { readSourceFiles } from './source-files.ts';

type Area = { rows: string[]; coveredRows: Set<string> };

/** IDs that are alone in a table of cases, whose title is `[%s] …`. */
const cases = /['"`]([A-Z]+-\d{3}(?:, [A-Z]+-\d{3})*)['"`]/g;
/** The brackets with which a title begins. */
const titles = /['"`]((?:\[[A-Z]+-\d{3}[A-Z0-9, -]*\]\s*)+)/g;

/** Requirement IDs by area in the order of docs/requirements.md. */
function readRequirements(): Map<string, Area> {
  const areas = new Map<string, Area>();
  for (const [, id = '', area = ''] of readFileSync('docs/requirements.md', 'utf8').matchAll(/^\| (([A-Z]+)-\d{3}) \|/gm)) {
    if (area === 'AMB') continue;
    const entry = areas.get(area) ?? { rows: [], coveredRows: new Set() };
    entry.rows.push(id);
    areas.set(area, entry);
  }
  return areas;
}

/** IDs in brackets at the beginning of a test's title. `[APPS-012, APPS-013]` names two. */
function readTestedIds(): Set<string> {
  const ids = new Set<string>();
  for (const file of readSourceFiles()) {
    if (!/\.(test|spec)\.tsx?$/.test(file.path)) continue;
    for (const [, bracketText = ''] of file.text.matchAll(titles)) {
      for (const [id] of bracketText.matchAll(/[A-Z]+-\d{3}/g)) ids.add(id);
    }
    for (const [, idList = ''] of file.text.matchAll(cases)) for (const id of idList.split(', ')) ids.add(id);
  }
  return ids;
}

const areas = readRequirements();
const testedIds = readTestedIds();
let rows = 0;
let coveredCount = 0;
for (const [name, area] of areas) {
  const missing = area.rows.filter((id) => !testedIds.has(id));
  rows += area.rows.length;
  coveredCount += area.rows.length - missing.length;
  console.log(`${name.padEnd(6)} ${String(area.rows.length - missing.length).padStart(3)} of ${String(area.rows.length).padStart(3)}`);
  if (missing.length > 0) console.log(`       no test names ${missing.join(' ')}`);
}
const knownIds = new Set([...areas.values()].flatMap((area) => area.rows));
const unknown = [...testedIds].filter((id) => !knownIds.has(id) && !id.startsWith('AMB-'));
console.log(`\n${coveredCount} of ${rows} rows are named by a test`);
if (unknown.length > 0) {
  console.error(`Tests name rows that do not exist: ${unknown.join(' ')}`);
  process.exitCode = 1;
}
