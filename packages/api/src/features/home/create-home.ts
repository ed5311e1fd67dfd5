import { getHome } from '@switchyard/contract/home';
import type { Feature } from '../../http/bind.ts';
import { createReadHome, type HomeDependencies } from './read-home.ts';

/** The call of the home page. */
export function createHome(deps: HomeDependencies): Feature {
  const read = createReadHome(deps);
  return {
    bindRoutes(bind) {
      bind(getHome, async ({ caller }) => read(caller));
    },
  };
}
