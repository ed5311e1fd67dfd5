import type { NativeLibrary } from './notice.ts';
import type { ProductionPackage } from './production-packages.ts';

type Component = {
  type: 'application' | 'library';
  'bom-ref': string;
  name: string;
  version: string;
  licenses: readonly object[];
  purl: string;
  hashes?: readonly { alg: string; content: string }[];
};

/** The software bill of materials in the format CycloneDX 1.5. `time`: when the commit was made, so that one commit gives one file. */
export function writeBillOfMaterials(
  product: { version: string; commit: string; time: Date },
  { packages, nativeLibraries }: { packages: readonly ProductionPackage[]; nativeLibraries: readonly NativeLibrary[] },
): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: product.time.toISOString(),
      component: {
        type: 'application',
        'bom-ref': `switchyard@${product.version}`,
        name: 'switchyard',
        version: product.version,
        licenses: licensesOf('MIT'),
        properties: [{ name: 'switchyard:commit', value: product.commit }],
      },
    },
    components: [...packages.map(npmComponent), ...nativeLibraries.map(nativeComponent)],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function npmComponent({ name, version, license, integrity }: ProductionPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm = '', hash = ''] = integrity?.split('-') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: licensesOf(license),
    purl,
    ...(algorithm === 'sha512' ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] } : {}),
  };
}

function nativeComponent({ name, version, license }: NativeLibrary): Component {
  const purl = `pkg:generic/${name}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, licenses: licensesOf(license), purl };
}

/** A licence of the SPDX list, an expression of several, or a text of the package's own. */
function licensesOf(license: string): object[] {
  if (/ (OR|AND) /.test(license) && !license.startsWith('SEE ')) return [{ expression: license }];
  return [{ license: /^[\w.-]+$/.test(license) && !license.startsWith('LicenseRef-') ? { id: license } : { name: license } }];
}
