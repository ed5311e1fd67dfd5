/** The colour of the version label, from the text of the version. */
export function versionTone(version: string): 'danger' | 'warning' | 'success' | 'neutral' {
  if (version.includes('dev')) return 'danger';
  if (version.includes('alpha')) return 'warning';
  return version.includes('beta') ? 'success' : 'neutral';
}
