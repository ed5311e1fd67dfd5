/**
 * Reads CSV strictly by RFC 4180: CRLF after every record, quotes doubled, everything that needs quotes quoted, and what holds `;` or TAB too. Written
 * from the RFC alone, so that it shares no mistake with what writes our files.
 */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      const { field, next } = text[at] === '"' ? quotedField(text, at + 1) : plainField(text, at);
      record.push(field);
      at = next;
      if (text[at] === ',') {
        at += 1;
        continue;
      }
      if (text.slice(at, at + 2) !== '\r\n') throw new Error(`No CRLF at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
      at += 2;
      break;
    }
    records.push(record);
  }
  return records;
}

/** The records after the header row, each by the names of its columns. */
export function readNamedCsv(text: string): Record<string, string>[] {
  const [head = [], ...records] = readCsv(text);
  return records.map((record) => Object.fromEntries(head.map((name, index) => [name, record[index] ?? ''])));
}

function plainField(text: string, start: number): { field: string; next: number } {
  let next = start;
  while (next < text.length && !',\r\n"'.includes(text.charAt(next))) next += 1;
  const field = text.slice(start, next);
  if (/[;\t]/.test(field)) throw new Error(`An unquoted field holds ; or TAB at ${start}`);
  if (text[next] === '"' || text[next] === '\n') throw new Error(`An unquoted field holds ${JSON.stringify(text[next])} at ${next}`);
  return { field, next };
}

function quotedField(text: string, start: number): { field: string; next: number } {
  let field = '';
  for (let next = start; ; next += 1) {
    if (next >= text.length) throw new Error('A quoted field does not end');
    if (text[next] !== '"') field += text.charAt(next);
    else if (text[next + 1] === '"') {
      field += '"';
      next += 1;
    } else return { field, next: next + 1 };
  }
}
