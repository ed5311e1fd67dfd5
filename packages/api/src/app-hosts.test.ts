import { describe, expect, it } from 'vitest';
import { appHostForm, createAppHosts } from './app-hosts.ts';

describe('hosts of apps', () => {
  it('[DEV-007, AMB-155] are at the domain of the app, or where the form of addresses says', () => {
    expect(createAppHosts('https://{domain}').addressOf('acme-bet.example')).toBe('https://acme-bet.example/api/dev');
    expect(createAppHosts('http://{domain}.localhost:3000').addressOf('Acme-Bet.example')).toBe(
      'http://acme-bet.example.localhost:3000/api/dev',
    );
    expect(createAppHosts('https://{domain}').addressOf('grüße.example')).toBe('https://xn--gre-6ka8l.example/api/dev');
  });

  it.each([
    '',
    ' ',
    'a b',
    'a.example/x',
    'a.example:8080',
    'me@a.example',
    'a?b',
    'a#b',
    'a\\b',
    'a%2fb',
    'a;b',
    "a'b",
    '*',
    '*.example',
    '-a',
    'a..',
    '[::1]',
    '$&',
  ])('[DEV-007, S31] are none at %j', (domain) => {
    expect(createAppHosts('https://{domain}').addressOf(domain)).toBeNull();
  });

  it('[API-067] have the domain of the app in their name', () => {
    const local = createAppHosts('http://{domain}.localhost:3000');
    expect(['acme.example.localhost', 'ACME.example.LOCALHOST', 'acme.example', 'localhost'].map(local.domainIn)).toEqual([
      'acme.example',
      'ACME.example',
      'acme.example',
      'localhost',
    ]);
    expect(createAppHosts('https://{domain}').domainIn('acme.example.localhost')).toBe('acme.example.localhost');
  });

  it.each([
    ['https://{domain}', true],
    ['http://{domain}:8080', true],
    ['http://{domain}.localhost:3000', true],
    ['https://{domain}.staging.example.com', true],
    ['https://example.com', false],
    ['https://x.{domain}', false],
    ['https://{domain}/path', false],
    ['https://{domain}.', false],
    ['ftp://{domain}', false],
    ['{domain}', false],
  ])('AMB-155: %s is a form of addresses: %s', (form, isForm) => {
    expect(appHostForm.test(form)).toBe(isForm);
  });
});
