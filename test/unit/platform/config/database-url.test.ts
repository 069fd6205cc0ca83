import { describe, expect, it } from 'vitest';
import {
  type DatabaseUrl,
  describeDatabase,
  parseDatabaseUrl,
} from '../../../../src/platform/config/database-url.js';

const FORMS =
  /^must be sqlite:.* the path of a file without \? and #, sqlite::memory:, or mysql:\/\/user:password@host:3306.* are written as %2F/;

const server = {
  engine: 'mysql',
  hosts: [{ host: 'db.example', port: 3307 }],
  user: 'shop',
  password: 'sesame',
  database: 'petstore',
  tls: false,
} as const;

describe('the URL of a SQLite file', () => {
  it.each([
    './data/petstore.db',
    '../pets.db',
    '/var/lib/pets.db',
    ':memory:',
    './my pets.db',
    './a%2eb',
    './:memory:',
  ])('names the file as it is: %s', (file) =>
    expect(parseDatabaseUrl(`sqlite:${file}`)).toEqual({ engine: 'sqlite', file }),
  );

  it.each(['sqlite::MEMORY:', 'sqlite::Memory:', 'SQLITE::memory:'])(
    'means the database in memory in upper and lower case: %s',
    (url) => expect(parseDatabaseUrl(url)).toEqual({ engine: 'sqlite', file: ':memory:' }),
  );

  it('keeps upper and lower case in the path of a file', () =>
    expect(parseDatabaseUrl('sqlite:./Pets/:MEMORY:')).toEqual({
      engine: 'sqlite',
      file: './Pets/:MEMORY:',
    }));

  it.each([
    '',
    ':memory',
    ' :memory:',
    ':memory: ',
    'memory:',
    'file::memory:',
    ':memory:?cache=shared',
    '//data/pets.db',
    'pets.db',
    'C:\\pets.db',
    '.pets.db',
    '~/pets.db',
    'file:./pets.db',
    './pets.db?mode=ro',
    './data/',
    ' ./pets.db',
    './pets.db ',
    './pets.db\ufeff',
  ])('is rejected if programs would read it in different ways: "%s"', (file) =>
    expect(() => parseDatabaseUrl(`sqlite:${file}`)).toThrow(FORMS),
  );
});

describe('the URL of a MySQL server', () => {
  it.each<[string, string, Partial<DatabaseUrl>]>([
    ['everything', 'mysql://shop:sesame@db.example:3307/petstore', {}],
    ['no user and password', 'mysql://db.example:3307/petstore', { user: '', password: '' }],
    [
      'any character escaped',
      'mysql://sh%40p:s%2Fs%3A%40%23%25me@db.example:3307/pet%20store',
      { user: 'sh@p', password: 's/s:@#%me', database: 'pet store' },
    ],
    [
      'several hosts that hold the same data',
      'mysql://shop:sesame@db1:3307,db2,[::1]:3309/petstore',
      {
        hosts: [
          { host: 'db1', port: 3307 },
          { host: 'db2', port: 3306 },
          { host: '::1', port: 3309 },
        ],
      },
    ],
    ['TLS that is checked', 'mysql://shop:sesame@db.example:3307/petstore?tls=verify', { tls: true }],
  ])('may have %s', (_, url, parts) => expect(parseDatabaseUrl(url)).toEqual({ ...server, ...parts }));

  it.each([
    ['has an unknown option', 'mysql://shop:sesame@db/petstore?ssl=sesame'],
    ['has a port out of range', 'mysql://shop:sesame@db1:70000/petstore'],
    ['has no database', 'mysql://shop:sesame@db.example:3307'],
    ['has no host', 'mysql:///sesame'],
    ['is of another engine', 'postgres://shop:sesame@db.example/petstore'],
    ['has a password that was not escaped', 'mysql://shop:123/sesame@db.example/petstore'],
    ['has a password that was escaped badly', 'mysql://shop:%E0%A4sesame@db.example/petstore'],
    ['is not a URL', 'sesame'],
  ])('is rejected when it %s, and the error does not repeat it', (_, url) => {
    expect(() => parseDatabaseUrl(url)).toThrow(FORMS);
    expect(() => parseDatabaseUrl(url)).toThrow(/^(?!.*sesame)/);
  });
});

describe('the description of a database', () => {
  const hosts = [...server.hosts, { host: 'db2.example', port: 3306 }];

  it.each<[DatabaseUrl, string]>([
    [{ ...server, hosts }, 'MySQL petstore on db.example:3307, db2.example:3306'],
    [{ engine: 'sqlite', file: './pets.db' }, 'SQLite ./pets.db'],
    [{ engine: 'sqlite', file: ':memory:' }, 'SQLite in memory (lost when the service stops)'],
  ])('contains its hosts or its file: %j', (url, words) => expect(describeDatabase(url)).toBe(words));
});
