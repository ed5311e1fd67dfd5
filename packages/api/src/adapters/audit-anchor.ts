import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** A seal of the audit trail as it is remembered outside the database. */
export type Anchor = { number: bigint; mac: Buffer };

/** The text of an anchor, `number:hash`, as logs, the file and `audit:verify --anchor` have it. */
export function anchorText({ number, mac }: Anchor): string {
  return `${number}:${mac.toString('hex')}`;
}

/** The anchor of a text; null if it is none. */
export function parseAnchor(text: string): Anchor | null {
  const [, number, hex] = /^(\d{1,19}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return number === undefined || hex === undefined ? null : { number: BigInt(number), mac: Buffer.from(hex, 'hex') };
}

/** The file with the newest anchor, outside the database, so that database access alone does not suffice to change it. */
export type AnchorFile = {
  path: string;
  /** Null: there is no file. Throws if the file holds no anchor. */
  read(): Promise<Anchor | null>;
  /** Replaces the file as a whole. */
  write(anchor: Anchor): Promise<void>;
};

/** The anchor file in the data folder. */
export function createAnchorFile(dataDir: string): AnchorFile {
  const path = join(dataDir, 'audit-anchor');
  return {
    path,
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return null;
      });
      if (text === null) return null;
      const anchor = parseAnchor(text);
      if (anchor === null) throw new Error(`${path} holds no anchor (restore it, or remove it)`);
      return anchor;
    },
    async write(anchor) {
      // Named by process: several consoles may share the folder.
      const draft = `${path}.${process.pid}`;
      const file = await open(draft, 'w', 0o600);
      try {
        await file.writeFile(`${anchorText(anchor)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    },
  };
}
