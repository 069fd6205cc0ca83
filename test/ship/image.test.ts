import { chmodSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepFolder, keepProcess } from '../support/processes/keeper.js';
import { freePort } from '../support/processes/local-program.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { addNode, canChangeRoot, runIn } from './support/container.js';
import { buildImage, type Image } from './support/image-build.js';
import { billOfMaterials, installedVersions, lockedVersions, namesOf } from './support/packages.js';

describe.skipIf(!canChangeRoot())('The image that the Dockerfile describes', () => {
  let folder: string;
  let image: Image;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-image-'));
    keepFolder(folder);
    chmodSync(folder, 0o755);
    const tree = await TreeCopy.make();
    image = buildImage(tree.path('.'), folder);
    await tree.remove();
    addNode(image);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const files = () => readdirSync(image.root, { recursive: true, encoding: 'utf8' });

  it('contains the service and its dependencies, but no sources, tests or tools', () => {
    expect(readdirSync(join(image.root, 'app')).toSorted()).toEqual([
      'LICENSE',
      'dist',
      'node_modules',
      'package.json',
    ]);
  });

  it('contains exactly the package versions of the lock, and npm sbom lists them all', () => {
    const app = join(image.root, 'app');
    expect(installedVersions(app)).toEqual(lockedVersions());
    expect(billOfMaterials(app).toSorted()).toEqual(namesOf(lockedVersions()).toSorted());
  });

  it('lets its user write to /data only', () => {
    const uid = Number(image.user.split(':')[0]);
    const writable = files().filter((file) => {
      const { uid: owner, mode } = statSync(join(image.root, file), { throwIfNoEntry: false }) ?? {};
      return owner === uid || (mode !== undefined && (mode & 0o002) !== 0);
    });
    expect(writable).toEqual(['data']);
  });

  it('serves, is healthy, runs commands, and stops on a signal', async () => {
    // A container engine gives each container its own network; here there is only the machine's loopback.
    const environment = { HOST: '127.0.0.1', PORT: String(await freePort()) };
    const service = runIn(image, [...image.entrypoint, ...image.command], environment);
    keepProcess(service.pid, service.end());
    const [, origin] = await service.printed(/"Ready: (http:\S+)\/v1"/);

    expect((await runIn(image, image.healthcheck, environment).end()).code).toBe(0);
    const issue = ['keys', 'issue', '--name', 'shop', '--json'];
    const { output } = await runIn(image, [...image.entrypoint, ...issue], environment).end();
    const { secret } = JSON.parse(output) as { secret: string };
    const list = await runIn(image, [...image.entrypoint, 'keys', 'list'], environment).end();
    expect(list.output).toMatch(/shop +active/);
    const headers = { Authorization: `Bearer ${secret}` };
    expect(await (await fetch(`${origin}/v1/pets`, { headers })).json()).toEqual([]);
    expect((await fetch(`${origin}/docs/guide/store`)).status).toBe(200);

    expect((await service.stop()).code).toBe(0);
    expect((await runIn(image, image.healthcheck, environment).end()).code).toBe(1);
  });
});
