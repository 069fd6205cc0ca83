import { describe, expect, it } from 'vitest';
import { describeDatabase, parseDatabaseUrl } from '../../../../src/platform/config/database-url.js';

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

  it.each([
    '',
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
  ])('is refused where programs would read it in different ways: "%s"', (file) =>
    expect(() => parseDatabaseUrl(`sqlite:${file}`)).toThrow(FORMS),
  );
});

describe('the URL of a MySQL server', () => {
  it('has everything in its place', () => {
    expect(parseDatabaseUrl('mysql://shop:sesame@db.example:3307/petstore')).toEqual(server);
  });

  it('may do without user and password', () => {
    expect(parseDatabaseUrl('mysql://db.example:3307/petstore')).toEqual({
      ...server,
      user: '',
      password: '',
    });
  });

  it('may have any character escaped', () => {
    expect(parseDatabaseUrl('mysql://sh%40p:s%2Fs%3A%40%23%25me@db.example:3307/pet%20store')).toEqual({
      ...server,
      user: 'sh@p',
      password: 's/s:@#%me',
      database: 'pet store',
    });
  });

  it('may name several hosts that hold the same data', () => {
    expect(parseDatabaseUrl('mysql://shop:sesame@db1:3307,db2,[::1]:3309/petstore')).toEqual({
      ...server,
      hosts: [
        { host: 'db1', port: 3307 },
        { host: 'db2', port: 3306 },
        { host: '::1', port: 3309 },
      ],
    });
  });

  it('may ask for TLS with a certificate that is checked', () => {
    expect(parseDatabaseUrl('mysql://shop:sesame@db.example:3307/petstore?tls=verify')).toEqual({
      ...server,
      tls: true,
    });
  });

  it.each([
    ['has an option that nobody knows', 'mysql://shop:sesame@db/petstore?ssl=sesame'],
    ['has a port out of range', 'mysql://shop:sesame@db1:70000/petstore'],
    ['has no database', 'mysql://shop:sesame@db.example:3307'],
    ['has no host', 'mysql:///sesame'],
    ['is of another engine', 'postgres://shop:sesame@db.example/petstore'],
    ['has a password that was not escaped', 'mysql://shop:123/sesame@db.example/petstore'],
    ['has a password that was escaped badly', 'mysql://shop:%E0%A4sesame@db.example/petstore'],
    ['is no URL', 'sesame'],
  ])('is refused when it %s, and the refusal does not repeat it', (_, url) => {
    expect(() => parseDatabaseUrl(url)).toThrow(url.includes('10.0.0.7') ? /^must name its hosts/ : FORMS);
    expect(() => parseDatabaseUrl(url)).toThrow(/^(?!.*sesame)/);
  });
});

describe('a database in words', () => {
  it('is told with all of its hosts', () => {
    const { hosts } = server;
    const cluster = { ...server, hosts: [...hosts, { host: 'db2.example', port: 3306 }] };
    expect(describeDatabase(cluster)).toBe('MySQL petstore on db.example:3307, db2.example:3306');
  });

  it('is told by its file', () => {
    expect(describeDatabase({ engine: 'sqlite', file: './pets.db' })).toBe('SQLite ./pets.db');
  });

  it('is told with a warning when it does not last', () => {
    expect(describeDatabase({ engine: 'sqlite', file: ':memory:' })).toMatch(/lost when the service stops/);
  });
});
