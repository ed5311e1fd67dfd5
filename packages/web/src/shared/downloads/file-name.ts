/** The name in a `content-disposition` of the API (api 0.8), or null when there is none. */
export function fileNameIn(disposition: string | null): string | null {
  return /;\s*filename="([^"\\/]+)"/i.exec(disposition ?? '')?.[1] ?? null;
}
