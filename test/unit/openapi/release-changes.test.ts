import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseChanges, sinceOf } from '../../../tools/openapi/release-changes.js';
import { type Document, edited, GONE, released } from './edited-document.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'petstore-releases-'))));
afterEach(() => rm(root, { recursive: true }));

const write = async (file: string, content: unknown) => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), JSON.stringify(content));
};
const release = (version: string, document: Document) => write(`docs/releases/${version}.json`, document);

const first = edited(released, { createPet: GONE, updateOrder: GONE });
const second = edited(released, { updateOrder: GONE, 'limit schema maximum': 50 });
const today = edited(second, {
  'paths /store/orders/{orderId} patch': released.paths['/store/orders/{orderId}']!['patch'],
  getPet: GONE,
  'components headers ETag required': false,
  'PetStatus enum 3': 'lost',
});

beforeEach(async () => {
  await release('1.10.0', second);
  await release('1.9.0', first);
  await write('docs/openapi.json', today);
  await write('package.json', { version: '1.10.0' });
});

describe('The releases', () => {
  it('show since when an operation exists', async () => {
    expect(['listPets', 'createPet', 'updateOrder'].map((name) => sinceOf(name, root))).toEqual([
      '1.9.0',
      '1.10.0',
      'unreleased',
    ]);
    // A release begins when the package gets a new version.
    await write('package.json', { version: '2.0.0' });
    expect(['createPet', 'updateOrder'].map((name) => sinceOf(name, root))).toEqual(['1.10.0', '2.0.0']);
  });

  it('show what each of them added, changed and removed', () => {
    const [unreleased, newest, oldest, ...others] = releaseChanges(root);
    const statuses = 'enum from available, pending, sold to available, pending, sold, lost';
    expect(unreleased).toEqual({
      version: 'unreleased',
      added: [
        {
          operationId: 'updateOrder',
          address: 'PATCH /store/orders/{orderId}',
          summary: 'Changes the status of an order.',
        },
      ],
      changed: [
        {
          operations: ['listPets', 'createPet'],
          what: [`PetStatus in requests: ${statuses}`, `PetStatus in answers: ${statuses}`],
        },
        { operations: ['listPets', 'listOrders'], what: ['header ETag optional'] },
      ],
      removed: [
        { operationId: 'getPet', address: 'GET /pets/{petId}', summary: 'Returns one animal by identifier.' },
      ],
    });
    expect(newest).toMatchObject({
      version: '1.10.0',
      added: [{ operationId: 'createPet' }],
      changed: [
        { operations: ['listPets', 'listOrders'], what: ['limit in requests: maximum from 100 to 50'] },
      ],
      removed: [],
    });
    expect(oldest!.added.map(({ operationId }) => operationId)).toEqual([
      'listPets',
      'getPet',
      'listOrders',
      'createOrder',
    ]);
    expect([oldest!.changed, others]).toEqual([[], []]);
  });
});
