const versionTag = /^(?:W\/)?"v([1-9]\d*)"$/;

/**
 * The versions that an `If-Match` header allows a command to change: without the header and with `*` any; with `"v4"` and
 * `W/"v4"` version 4; with any other value none.
 */
export function readIfMatch(header: string | undefined): (version: number) => boolean {
  if (header === undefined || header.trim() === '*') return () => true;
  const expected = versionTag.exec(header.trim())?.[1];
  return (version) => expected === String(version);
}

/** The `etag` of a version of an entity. */
export function versionEtag(version: number): string {
  return `"v${version}"`;
}

/**
 * The etags that the caller has, by an `If-None-Match` header: without the header none, with `*` any, otherwise the listed
 * ones, compared weakly (RFC 9110 13.1.2).
 */
export function readIfNoneMatch(header: string | undefined): (etag: string) => boolean {
  if (header === undefined) return () => false;
  if (header.trim() === '*') return () => true;
  return (etag) => header.split(',').some((listedTag) => listedTag.trim().replace(/^W\//, '') === etag);
}
