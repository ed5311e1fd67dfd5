import { sendDevRequest } from '@switchyard/contract/dev-tools';

/** How the hosts of apps are reached. */
export type AppHosts = {
  /** The address to which texts for this app are sent (api [73]); null if the domain is not a valid host name. */
  addressOf: (domain: string) => string | null;
  /** The host name without what the addresses of apps have behind the domain. */
  domainIn: (host: string) => string;
};

/** The form of an address with `{domain}` in the place of the app's domain. */
export const appHostForm = /^https?:\/\/\{domain\}(?<ending>(?:\.[a-z\d]+(?:-+[a-z\d]+)*)*)(?::\d{1,5})?$/;

/** Path of the one call that is made there (api [73]). */
const path = `/api/${sendDevRequest.path}`;

const hostName = /^[a-z\d](?:[a-z\d._-]*[a-z\d])?$/;

/** Reads the form of addresses; it matches `appHostForm`. */
export function createAppHosts(form: string): AppHosts {
  const ending = appHostForm.exec(form)?.groups?.['ending'] ?? '';
  return {
    addressOf(domain) {
      // Whatever a browser would read as another host, a port or a path.
      if (/[\s/\\?#@:%]/.test(domain)) return null;
      const address = form.replace('{domain}', () => domain);
      if (!URL.canParse(address)) return null;
      const { hostname, origin } = new URL(address);
      return hostName.test(hostname) ? `${origin}${path}` : null;
    },
    domainIn: (host) => (ending !== '' && host.toLowerCase().endsWith(ending) ? host.slice(0, -ending.length) : host),
  };
}
