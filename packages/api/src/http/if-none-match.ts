/**
 * What an `If-None-Match` header says that the caller has already: nothing without one, anything with `*`, otherwise the
 * listed etags, compared weakly (RFC 9110 13.1.2).
 */
export function readIfNoneMatch(header: string | undefined): (etag: string) => boolean {
  if (header === undefined) return () => false;
  if (header.trim() === '*') return () => true;
  return (etag) => header.split(',').some((listed) => listed.trim().replace(/^W\//, '') === etag);
}
