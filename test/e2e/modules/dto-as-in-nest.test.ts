import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { HivesModule } from '../../support/modules/hives-module.js';
import { type Service, startService } from '../../support/service.js';

describe('a DTO follows class-validator and class-transformer:', () => {
  let service: Service;
  beforeAll(async () => void (service = await startService(sqlite, { samples: [HivesModule] })));
  afterAll(() => service.stop());

  const ask = async (path: string, text?: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}/v1/hives${path}`, {
      headers: { Authorization: `Bearer ${service.secret}`, 'Content-Type': 'application/json' },
      ...(text !== undefined && { method: 'POST', body: text }),
    });
    const json = (await answer.json()) as { code?: string; details?: Record<string, string>[] };
    const details = json.details?.map(({ field, code, message }) => `${field} ${code}: ${message}`);
    return { status: answer.status, json, details };
  };

  const place = { row: 1, serials: [1] };
  const bees = [
    { kind: 'queen', name: 'Ada', eggs: 3 },
    { kind: 'worker', name: 'Bea', tasks: ['wax'] },
  ];
  const hive = { name: 'north', made_of: 2, place, bees };
  const add = (more: object = {}) => ask('', JSON.stringify({ ...hive, ...more }));

  it.each([
    ['?active=true', { active: true }],
    ['?active=false', { active: false }],
    ['?colours=red,blue', { colours: ['red', 'blue'] }],
    ['', {}],
  ])('a query contains texts, until decorators of the DTO convert them: %s', async (query, json) => {
    expect(await ask(query)).toMatchObject({ status: 200, json });
  });

  it('it may be nested, renamed, of several classes, or in a map', async () => {
    const { status, json } = await add({ neighbours: { east: place } });
    expect([status, json]).toEqual([
      201,
      {
        name: 'north',
        wood: 2,
        place,
        bees: [
          ['Queen', { kind: 'queen', name: 'Ada', eggs: 3 }],
          ['Worker', { kind: 'worker', name: 'Bea', tasks: ['wax'] }],
        ],
        isMap: true,
      },
    ]);
  });

  it.each([
    [{ bees: [bees[0], null] }, '/bees/1 invalid_type: must be an object'],
    [
      { bees: [{ kind: 'drone', name: 'Cid' }] },
      '/bees/0/kind invalid_enum_value: must be one of the following values: queen, worker',
    ],
    [{ favourite: bees }, '/favourite invalid_type: must be an object'],
  ])('a value that belongs to none of the classes is rejected: %j', async (more, problem) => {
    const { status, details } = await add(more);
    expect([status, details]).toEqual([400, [problem]]);
  });

  it('the response contains all problems at once, each in its place', async () => {
    const { status, details } = await add({
      name: 'taken',
      made_of: 3,
      bees: [
        { kind: 'queen', name: 'Ada', eggs: 'x' },
        { ...bees[1], tasks: [1] },
      ],
      neighbours: { east: { row: 0, serials: 7.5 } },
    });
    expect([status, details!.toSorted()]).toEqual([
      400,
      [
        '/bees/0/eggs invalid_type: must be an integer number',
        '/bees/1/tasks invalid_type: each value must be a string',
        '/name invalid_value: is taken',
        '/neighbours/east/serials invalid_type: must be an array',
        '/wood invalid_enum_value: must be one of the following values: 1, 2',
      ],
    ]);
  });

  it('a schema of another package may replace it', async () => {
    expect(await ask('/named', '{"name":"Ada ","tags":["x"]}')).toMatchObject({
      status: 201,
      json: { name: 'Ada', tags: ['x'] },
    });
    expect((await ask('/named?name=Ada')).json).toEqual({ name: 'Ada', tags: [] });
    expect(await ask('/named', '{"name":"A","tags":["x",7]}')).toMatchObject({
      status: 400,
      json: { code: 'validation_failed' },
      details: ['/name invalid_value: Too short. Add one', '/tags/1 invalid_value: Invalid input'],
    });
    expect(await ask('/named?name=A')).toMatchObject({
      status: 400,
      json: { code: 'invalid_parameter' },
      details: ['query.name invalid_value: Too short. Add one'],
    });
    expect((await ask('/named', '{"name":"Ada","constructor":1}')).json).toMatchObject({
      code: 'invalid_json',
      message: 'The body is not acceptable JSON: it has a member named constructor.',
    });
  });
});
