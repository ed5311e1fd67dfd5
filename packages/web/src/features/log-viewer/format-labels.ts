import type { LogFormatName } from '@switchyard/contract/log-viewer';

/** Names of the formats for display. */
export const logFormatLabels: Readonly<Record<LogFormatName, string>> = {
  monolog: 'Monolog and Laravel',
  json: 'JSON lines',
  logfmt: 'logfmt',
  access: 'Access log',
  'syslog-5424': 'Syslog (RFC 5424)',
  'syslog-3164': 'Syslog (RFC 3164)',
  cri: 'Container log (CRI)',
  glog: 'glog',
  redis: 'Redis',
  logcat: 'Android logcat',
  php: 'PHP error log',
  postgresql: 'PostgreSQL',
  w3c: 'W3C extended',
  text: 'Text with times',
  'level-first': 'Text with levels first',
  lines: 'Plain lines',
};
