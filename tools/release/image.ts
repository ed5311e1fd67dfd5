import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder } from './archive.ts';
import { makeDebianRoot } from './debian-root.ts';

const installation = '/opt/switchyard';
/** Account of the console: that of earlier images, to which existing volumes belong. */
const account = 1000;
const volumes = { '/var/lib/switchyard': '0711', '/var/log/switchyard': '0750', '/backups': '0700' };
const isAlive = `fetch('http://127.0.0.1:'+process.env.PORT+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))`;

/** Settings of containers. `Healthcheck` is Docker's; other runtimes ignore it. A test compares them with deploy/Dockerfile. */
export const containerSettings = {
  User: `${account}:${account}`,
  Env: [
    `PATH=${installation}/bin:${installation}/node_modules/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    'NODE_ENV=production',
    'HOST=0.0.0.0',
    'PORT=3000',
    'DATA_DIR=/var/lib/switchyard',
  ],
  Entrypoint: ['tini', '--', 'switchyard'],
  Cmd: ['start'],
  WorkingDir: installation,
  Volumes: { '/var/lib/switchyard': {} },
  ExposedPorts: { '3000/tcp': {} },
  StopSignal: 'SIGTERM',
  Healthcheck: { Test: ['CMD', 'node', '-e', isAlive], Interval: 10e9, Timeout: 3e9, StartPeriod: 60e9 },
};

type Descriptor = { mediaType: string; digest: string; size: number };

/**
 * Writes an image in the OCI layout to a tar file, without a daemon or a registry: the installation on a small Debian, in one layer.
 * `tree`: the folder with the installation.
 */
export function writeImage(
  file: string,
  { tree, version, commit, time }: { tree: string; version: string; commit: string; time: Date },
): void {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-image-'));
  try {
    const root = join(folder, 'root');
    // Backups need the client programs. Debian's are those of PostgreSQL 15.
    makeDebianRoot(root, ['tini', 'postgresql-client']);
    cpSync(tree, join(root, installation), { recursive: true, verbatimSymlinks: true });
    const id = String(account);
    execFileSync('chroot', [
      root,
      'useradd',
      '--uid',
      id,
      '--user-group',
      '--home-dir',
      '/var/lib/switchyard',
      '--no-create-home',
      'switchyard',
    ]);
    for (const [path, mode] of Object.entries(volumes)) execFileSync('install', ['-d', '-o', id, '-g', id, '-m', mode, join(root, path)]);
    for (const path of ['var/cache', 'var/log/apt', 'var/lib/apt/lists']) rmSync(join(root, path), { recursive: true });
    const layout = join(folder, 'layout');
    const blobs = join(layout, 'blobs/sha256');
    mkdirSync(blobs, { recursive: true });
    /** Names a file by its digest. */
    const store = (path: string, mediaType: string): Descriptor => {
      const bytes = readFileSync(path);
      const digest = createHash('sha256').update(bytes).digest('hex');
      renameSync(path, join(blobs, digest));
      return { mediaType, digest: `sha256:${digest}`, size: bytes.length };
    };
    const storeJson = (content: object, mediaType: string): Descriptor => {
      const path = join(folder, 'blob.json');
      writeFileSync(path, JSON.stringify(content));
      return store(path, mediaType);
    };
    const layerFile = join(folder, 'layer.tar.gz');
    packFolder(layerFile, root, '.', { time, keepsOwners: true });
    const diffId = createHash('sha256')
      .update(execFileSync('gzip', ['-dc', layerFile], { maxBuffer: 2 ** 31 }))
      .digest('hex');
    const layer = store(layerFile, 'application/vnd.oci.image.layer.v1.tar+gzip');
    const names = { 'org.opencontainers.image.version': version, 'org.opencontainers.image.revision': commit };
    const config = storeJson(
      {
        created: time.toISOString(),
        architecture: 'amd64',
        os: 'linux',
        config: { ...containerSettings, Labels: { ...names, 'org.opencontainers.image.licenses': 'MIT' } },
        rootfs: { type: 'layers', diff_ids: [`sha256:${diffId}`] },
        history: [{ created: time.toISOString(), created_by: 'npm run release:build' }],
      },
      'application/vnd.oci.image.config.v1+json',
    );
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = storeJson({ schemaVersion: 2, mediaType, config, layers: [layer] }, mediaType);
    const manifests = [{ ...manifest, annotations: { 'org.opencontainers.image.ref.name': version } }];
    writeFileSync(
      join(layout, 'index.json'),
      JSON.stringify({ schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests }),
    );
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    packFolder(file, layout, '.', { time });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
