/** Colour of the version label by what the version's text says (SHELL-012 to SHELL-015, AMB-032). */
export function versionTone(version: string): 'danger' | 'warning' | 'success' | 'neutral' {
  if (version.includes('dev')) return 'danger';
  if (version.includes('alpha')) return 'warning';
  return version.includes('beta') ? 'success' : 'neutral';
}
