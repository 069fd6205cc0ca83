import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  BodyOf,
  ItemOf,
  List,
  NewPet,
  Order,
  OrderChange,
  Pet,
  PetListOptions,
  PetStatus,
  PetStoreClient,
  Query,
  QueryOf,
  ResultOf,
} from '../../client/src/index.js';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('the types of the client', () => {
  it('match the OpenAPI document; `npm run generate -w client` writes them', () => {
    const script = join(ROOT, 'client/generate-types.mjs');
    const types = execFileSync(process.execPath, [script, join(ROOT, 'docs/openapi.json')], {
      encoding: 'utf8',
    });
    expect(types, 'Bring client/src/api-types.ts up to date: npm run document').toBe(
      readText(join(ROOT, 'client/src/api-types.ts')),
    );
  });

  it('have bigint for int64', () => {
    expectTypeOf<Pet['id']>().toEqualTypeOf<bigint>();
    expectTypeOf<NewPet['categoryId']>().toEqualTypeOf<bigint>();
  });

  it('give the body and the result of each documented path, and unknown for other paths', () => {
    expectTypeOf<ResultOf<'GET', '/pets'>>().toEqualTypeOf<Pet[]>();
    expectTypeOf<ResultOf<'GET', '/pets/7'>>().toEqualTypeOf<Pet>();
    expectTypeOf<ResultOf<'GET', `/pets/${bigint}`>>().toEqualTypeOf<Pet>();
    expectTypeOf<ResultOf<'POST', '/store/orders'>>().toEqualTypeOf<Order>();
    expectTypeOf<BodyOf<'POST', '/pets'>>().toEqualTypeOf<NewPet>();
    expectTypeOf<BodyOf<'PATCH', '/store/orders/7'>>().toEqualTypeOf<OrderChange>();
    expectTypeOf<ResultOf<'DELETE', '/pets/7'>>().toBeUnknown();
    expectTypeOf<ResultOf<'GET', '/pets/7/photos'>>().toBeUnknown();
    expectTypeOf<ResultOf<'GET', '/undocumented'>>().toBeUnknown();
    expectTypeOf<ResultOf<'GET', string>>().toBeUnknown();
    expectTypeOf<BodyOf<'POST', '/undocumented'>>().toBeUnknown();
  });

  it('give the items and the query of each documented list, and unknown for other paths', () => {
    expectTypeOf<ItemOf<'/pets'>>().toEqualTypeOf<Pet>();
    expectTypeOf<ItemOf<'/store/orders'>>().toEqualTypeOf<Order>();
    expectTypeOf<ItemOf<'/pets/7'>>().toBeNever();
    expectTypeOf<ItemOf<'/undocumented'>>().toBeUnknown();
    expectTypeOf<ItemOf<string>>().toBeUnknown();
    expectTypeOf<QueryOf<'GET', '/undocumented'>>().toEqualTypeOf<Query>();
    expectTypeOf<QueryOf<'GET', string>>().toEqualTypeOf<Query>();
    interface Expected {
      limit?: number | null | undefined;
      cursor?: string | null | undefined;
      status?: PetStatus | null | undefined;
      id?: bigint | readonly bigint[] | null | undefined;
    }
    expectTypeOf<Required<QueryOf<'GET', '/pets'>>>().toEqualTypeOf<Readonly<Required<Expected>>>();
    // @ts-expect-error because the parameter is mistyped
    const mistyped: QueryOf<'GET', '/pets'> = { stauts: 'sold' };
    // @ts-expect-error because the value does not exist
    const unknown: QueryOf<'GET', '/pets'> = { status: 'gone' };
    expect([mistyped, unknown].length).toBe(2);
    const list = (client: PetStoreClient) => client.list('/pets', { query: { status: 'sold' } });
    expectTypeOf(list).returns.toEqualTypeOf<List<Pet>>();
    // A program that was written for a generator.
    expectTypeOf<List<Pet>>().toExtend<AsyncGenerator<Pet, void, undefined>>();
    expectTypeOf<bigint>().toExtend<PetListOptions['id']>();
  });

  it('match what the client reads, because no response has an int32, which the types would call a number', () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      components: { schemas: Record<string, Schema> };
    };
    const answers = Object.entries(document.components.schemas).filter(
      ([name]) => !['Error', 'Problem'].includes(name),
    );
    const others = answers.flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, { type, format }]) =>
        type === 'integer' && format === 'int32' ? [`${schema}.${name}`] : [],
      ),
    );
    expect(
      others,
      'Describe these fields by @IntegerField or @Int64Field, then run npm run document.',
    ).toEqual([]);
  });
});
