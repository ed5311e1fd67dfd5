const versionTag = /^(?:W\/)?"v([1-9]\d*)"$/;

/**
 * What an `If-Match` header lets a write overwrite (api 0.9): without one, and with `*`, any version; `"v4"` and
 * `W/"v4"` version 4 only; any other value none.
 */
export function readIfMatch(header: string | undefined): (version: number) => boolean {
  if (header === undefined || header.trim() === '*') return () => true;
  const asked = versionTag.exec(header.trim())?.[1];
  return (version) => asked === String(version);
}

/** The `etag` of an entity in some version (api 0.9). */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}
