import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).default({});
const lockedPackage = z.object({
  version: z.string().default(''),
  license: z.string().default(''),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  link: z.boolean().default(false),
  dev: z.boolean().default(false),
  dependencies: names,
  optionalDependencies: names,
});
type Lock = Record<string, z.infer<typeof lockedPackage>>;

/** A package that the console is built from or runs on. `path`: its folder from the root. */
export type ProductionPackage = { path: string; name: string; version: string; license: string; integrity: string | undefined };

export function readLock(file = 'package-lock.json'): Lock {
  return z.object({ packages: z.record(z.string(), lockedPackage) }).parse(JSON.parse(readFileSync(file, 'utf8'))).packages;
}

/**
 * The installed packages that are not for development alone: those of the server and those in the pages. `npm sbom --omit=dev` lacks the ones
 * that the tests depend on, too, such as fastify and react.
 */
export function productionPackages(lock: Lock): ProductionPackage[] {
  const installed = Object.entries(lock)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link && existsSync(path))
    .map(([path, { version, license, integrity }]) => ({ path, name: nameOf(path), version, license, integrity }));
  // One version may be installed in several places.
  return [...new Map(installed.map((entry) => [`${entry.name}@${entry.version}`, entry])).values()];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Folders of the installed packages that a workspace needs to run, with those that they depend on, and of the workspaces among them. */
export function packagesOf(workspace: string, lock: Lock): { workspaces: string[]; packages: string[] } {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path) || !(path.startsWith('packages/') || existsSync(path))) return;
    reached.add(path);
    const { dependencies, optionalDependencies } = lock[path] ?? lockedPackage.parse({});
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = foldersAbove(path).find((folder) => `${folder}node_modules/${name}` in lock);
      if (found === undefined) continue;
      const target = `${found}node_modules/${name}`;
      visit(lock[target]?.link === true ? (lock[target].resolved ?? '') : target);
    }
  };
  visit(workspace);
  const all = [...reached].toSorted();
  return {
    workspaces: all.filter((path) => path.startsWith('packages/')),
    packages: all.filter((path) => path.startsWith('node_modules/')),
  };
}

/** The folders in which Node.js looks for a dependency, the innermost first, each with a slash at its end. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/node_modules/');
  return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/node_modules/')}/`), ''];
}
