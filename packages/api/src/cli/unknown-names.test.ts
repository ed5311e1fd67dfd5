import { expect, it } from 'vitest';
import { variableDefaults } from '../env.ts';
import { describeUnknownNames } from './unknown-names.ts';

const knownNames = Object.keys(variableDefaults);

it('[OPS-005] names of the environment that are close to a setting are misspelt, others are not ours', () => {
  const environment = [
    'SMTP_URI',
    'SECRET_KEYS',
    'TRUSTED_PROXY',
    'LOGDIR',
    'PORT',
    'HOME',
    'HOSTNAME',
    'PATH',
    'NODE_OPTIONS',
    'EDITOR',
    'LOGNAME',
  ];
  expect(describeUnknownNames({ knownNames, environment, ofFile: [] })).toEqual([
    'SMTP_URI: unknown setting (did you mean SMTP_URL?)',
    'SECRET_KEYS: unknown setting (did you mean SECRET_KEY?)',
    'TRUSTED_PROXY: unknown setting (did you mean TRUSTED_PROXIES?)',
    'LOGDIR: unknown setting (did you mean LOG_DIR?)',
  ]);
});

it('[OPS-005] a file of settings holds settings and variables of Node.js only, each named once', () => {
  const ofFile = ['PORT', 'SMTP_URI', 'COLOUR', 'NODE_EXTRA_CA_CERTS', 'TZ'];
  expect(describeUnknownNames({ knownNames, environment: [...ofFile, 'SHELL'], ofFile })).toEqual([
    'SMTP_URI: unknown setting (did you mean SMTP_URL?)',
    'COLOUR: unknown setting',
  ]);
});

it('[OPS-005] no setting looks like a misspelt other one', () => {
  for (const name of knownNames) expect(describeUnknownNames({ knownNames, environment: [name], ofFile: [name] })).toEqual([]);
});
