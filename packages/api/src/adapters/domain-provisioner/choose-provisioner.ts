import { createSimulatedProvisioner, type DomainProvisioner } from './domain-provisioner.ts';
import { createHttpProvisioner } from './http-provisioner.ts';

/** Ways to link domains that DOMAIN_PROVISIONER can name (O23). */
export const provisionerNames = ['simulated', 'http'] as const;

/** The provisioner of that name. `networks`: see `createHttpProvisioner`. */
export function chooseProvisioner(
  name: (typeof provisionerNames)[number],
  deps: { now: () => Date; networks: readonly string[] },
): DomainProvisioner {
  return name === 'http' ? createHttpProvisioner(deps) : createSimulatedProvisioner(deps);
}
