import { gzipSync } from 'node:zlib';
import { cases, get, type HttpCase, KEY, LENGTH, PET, post } from './http-case.js';

const JSON_ANSWER = /\r\ncontent-type: application\/json; charset=utf-8\r\n/i;
const typed = (type: string) =>
  post(LENGTH).replace('Content-Type: application/json\r\n', type && `Content-Type: ${type}\r\n`);
const encoded = (coding: string, body: string) =>
  post(`Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n`, body);
const zipped = gzipSync(PET).toString('latin1');
const pets = (headers = '', method = 'GET') => get(KEY + headers, '/v1/pets', method);
const keyed = (authorization: string) => get(`Authorization: ${authorization}\r\n`, '/v1/pets');
const CLOSE = 'Connection: close\r\n';

/** Methods, what is known of a resource, media types. */
const RESOURCES = [
  ...cases(
    '9110 8.3: media types',
    '201 open',
    [
      ...[
        'application/json',
        'Application/JSON',
        'application/json; charset=utf-8',
        'application/json;charset=UTF-8',
        'application/json ; charset="utf-8"',
      ],
      ...['application/json;', 'application/json ;', 'application/json; charset=utf-8;'],
    ].map(typed),
  ),
  ...cases(
    '9110 15.5.16: other media types',
    '415 (open|closed)',
    [
      ...[
        '',
        'text/plain',
        'text/json',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        '*/*',
        'json',
      ],
      ...[
        'application/json; charset=latin1',
        'application/json; charset=utf-16',
        'application/json, text/plain',
        'application/jsonx',
        'application/ json',
      ],
      ...[
        'application/json-seq',
        'application/vnd.api+json',
        'application',
        '/',
        ';',
        'application/json charset=utf-8',
        '"application/json"',
      ],
    ].map(typed),
    { has: /\r\naccept: application\/json\r\n/i },
  ),
  ...cases('9110 8.4: content codings', '201 open', [
    encoded('gzip', zipped),
    encoded('GZIP', zipped),
    encoded('x-gzip', zipped),
    encoded('identity', PET),
  ]),
  ...cases(
    '9110 8.4: other content codings',
    '415 (open|closed)',
    ['br', 'deflate', 'zstd', 'compress', 'gzip, gzip', 'gzip;q=1', 'x', 'gzip, identity'].map((coding) =>
      encoded(coding, zipped),
    ),
    { has: /\r\naccept-encoding: gzip\r\n/i },
  ),
  ...cases('9110 8.4: no gzip', '400 open', [
    encoded('gzip', PET),
    encoded('gzip', zipped.slice(0, -9)),
    encoded('gzip', `x${zipped}`),
  ]),
  ...cases(
    '9110 9.3.2: HEAD has the headers of GET, and no body',
    '200 open',
    [pets('', 'HEAD'), get('', '/livez', 'HEAD'), get('', '/openapi.json', 'HEAD')],
    { has: /\r\ncontent-length: [1-9]/i },
  ),
  ...cases('9110 9.3.2: HEAD of what is not there', '404 open', [
    get('', '/nowhere', 'HEAD'),
    get(KEY, '/v1/pets/1099511627776', 'HEAD'),
  ]),
  ...cases(
    '9110 9.3.7: OPTIONS',
    '204 open',
    [get('', '/v1/pets', 'OPTIONS'), get('', '/livez', 'OPTIONS'), get('', '/v1/pets/1', 'OPTIONS')],
    { has: /\r\nallow: GET, HEAD, OPTIONS/i },
  ),
  ...cases(
    '9110 9.3.8: TRACE shows nobody what was sent',
    '405 .*',
    [get('X-Secret: secret\r\n', '/livez', 'TRACE'), get(KEY, '/v1/pets', 'TRACE')],
    { has: /\r\nallow: /i, lacks: /secret|Bearer/ },
  ),
  ...cases(
    '9110 15.5.6: methods that are not there',
    '405 .*',
    [
      'PUT',
      'PATCH',
      'DELETE',
      'POST',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'QUERY',
      'LINK',
      'PURGE',
      'MKCOL',
      'LOCK',
      'M-SEARCH',
      'REPORT',
    ].map((method) => get('', '/livez', method)),
    { has: /\r\nallow: GET, HEAD, OPTIONS\r\n/i },
  ),
  ...cases(
    '9110 15.5.6: methods that are not there',
    '405 .*',
    ['PUT', 'PATCH', 'DELETE'].map((method) => pets('', method)),
    { has: /\r\nallow: GET, HEAD, OPTIONS, POST\r\n/i },
  ),
  ...cases(
    '9110 15.5.5: what is not there',
    '404 open',
    [
      get('', '/nowhere'),
      get('', '/v1'),
      get('', '/v2/pets'),
      get(KEY, '/v1/pets/x'),
      get(KEY, '/v1/pets/1099511627776'),
      get('', '/.well-known/x'),
    ],
    { has: JSON_ANSWER },
  ),
  ...cases(
    '9110 11.6.1: 401 says how to authenticate',
    '401 open',
    [
      get('', '/v1/pets'),
      ...[
        'Bearer',
        'Bearer ',
        'Bearer x',
        'Basic dTpw',
        'bearer x y',
        'Bearer, x',
        'Bearer\tx',
        'Digest a=b',
        'Token x',
        '=',
        'Bearer x,Bearer y',
      ].map(keyed),
      get(`${KEY}${KEY}`, '/v1/pets'),
    ],
    { has: /\r\nwww-authenticate: Bearer realm="petstore"/i },
  ),
  ...cases(
    '9110 11.1: the case of the scheme does not matter',
    '200 open',
    ['bearer', 'BEARER', 'bEaReR'].map((scheme) => get(KEY.replace('Bearer', scheme), '/v1/pets')),
  ),
  ...cases(
    '9110 12.5.1: Accept',
    '200 open',
    ['*/*', 'text/html', 'application/json;q=0', 'image/*', '', 'x', ';;;', 'a/b;q=2'].map((text) =>
      pets(`Accept: ${text}\r\n`),
    ),
    { has: JSON_ANSWER },
  ),
  ...cases(
    '9110 13.1.2: If-None-Match',
    '304 open',
    [
      pets('If-None-Match: *\r\n'),
      pets('If-None-Match: *\r\n', 'HEAD'),
      get('If-None-Match: *\r\n', '/openapi.json'),
    ],
    { has: /\r\netag: /i, lacks: /\r\ncontent-type: |\r\ncontent-length: [1-9]/i },
  ),
  ...cases(
    '9110 13.1.2: If-None-Match of something else',
    '200 open',
    ['"x"', 'W/"x"', '"x", "y"', 'x', '', '"', '""', '"*"', ',', 'W/', '\u00ff'].map((tag) =>
      pets(`If-None-Match: ${tag}\r\n`),
    ),
  ),
  ...cases(
    '9110 13.1.3: what has no date knows no If-Modified-Since',
    '200 open',
    ['Sat, 21 Nov 2026 00:00:00 GMT', 'yesterday', '0'].map((date) => pets(`If-Modified-Since: ${date}\r\n`)),
  ),
  ...cases(
    '9110 14.2: Range is passed over',
    '200 open',
    ['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'x', 'bytes=0-0,1-1'].map((range) => pets(`Range: ${range}\r\n`)),
  ),
  ...cases('9110 12.5.5: Vary', '200 open', [pets(), pets('', 'HEAD')], {
    has: /\r\nvary: [^\r]*Authorization/i,
  }),
];

/** Connections that are kept or closed, and several requests on one of them. */
const CONNECTIONS = [
  ...cases(
    '9112 9.3: closed when asked for',
    '200 closed',
    [
      'close',
      'Close',
      'CLOSE',
      'close, x',
      'x, close',
      'keep-alive, close',
      'close, keep-alive',
      ',close',
    ].map((text) => get(`Connection: ${text}\r\n`)),
    { has: /\r\nconnection: close\r\n/i },
  ),
  ...cases('9112 9.3: HTTP/1.0', '200 closed', [
    'GET /livez HTTP/1.0\r\n\r\n',
    'GET /livez HTTP/1.0\r\nHost: a\r\n\r\n',
    'GET /livez HTTP/1.0\r\nConnection: close\r\n\r\n',
  ]),
  ...cases('9112 9.3: HTTP/1.0 that would go on', '200 (open|closed)', [
    'GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'GET /livez HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: a\r\n\r\n',
  ]),
  ...cases('9112 9.3.2: in the order they were asked', '200 200 open', [
    get() + get(),
    pets() + get(),
    post(LENGTH).replace('POST', 'GET').replace(LENGTH, '').replace(PET, '') + get(),
    get() + pets('', 'HEAD').replace('HEAD', 'GET'),
    `${get('Content-Length: 5\r\n')}hello${get()}`,
    `${get()}\r\n${get()}`,
  ]),
  ...cases('9112 9.3.2: in the order they were asked', '201 200 404 open', [
    post(LENGTH) + get() + get('', '/nowhere'),
    post(LENGTH) + pets() + get('', '/v2'),
  ]),
  ...cases('9112 9.3.2: in the order they were asked', '404 401 405 200 open', [
    get('', '/x') + get('', '/v1/pets') + get('', '/livez', 'PUT') + get(),
  ]),
  ...cases('9112 9.3.2: in the order they were asked', '200 204 304 200 open', [
    get('', '/livez', 'HEAD') + get('', '/livez', 'OPTIONS') + pets('If-None-Match: *\r\n') + get(),
  ]),
  ...cases('9112 9.3.2: in the order they were asked', `${'200 '.repeat(50)}open`, [
    get().repeat(50),
    pets().repeat(50),
  ]),
  ...cases('9112 9.3.2: what was good is answered before what was not', '200 400 closed', [
    `${get()}X\r\n\r\n`,
    get() + get('X\r\n'),
    `${pets()}nonsense\r\n\r\n`,
    pets() + get('Host: b\r\n'),
    `${get()}\u0000\u0000`,
    pets() + get('X : y\r\n'),
  ]),
  ...cases('9112 9.3.2: what was good is answered before what was not', '201 400 closed', [
    `${post(LENGTH)}X\r\n\r\n`,
    `${post(LENGTH)}xx`,
    `${post(LENGTH)}{}\r\n`,
    post(LENGTH) + get('X : y\r\n'),
  ]),
  ...cases('9112 9.3.2: what was good is answered before what was not', '201 201 200 400 closed', [
    `${post(LENGTH).repeat(2)}${get()}X\r\n\r\n`,
  ]),
  ...cases('9112 9.6: nothing is done after close', '200 (400 )?closed', [
    get(CLOSE) + get(),
    get(CLOSE) + post(LENGTH),
    `${get(CLOSE)}nonsense\r\n\r\n`,
    `GET /livez HTTP/1.0\r\n\r\n${get()}`,
  ]),
  ...cases('9112 9.6: nothing is done after a refusal', '400 closed', [
    get('X\r\n') + get(),
    `nonsense\r\n\r\n${post(LENGTH)}`,
    get('Host: b\r\n') + get(),
    post('Content-Length: x\r\n') + get(),
  ]),
  ...cases('9110 7.2 and 9112 9.6: nothing is done after a wrong Host', '400 closed', [
    'GET /livez HTTP/1.1\r\n\r\n' + get(),
    'POST /v1/pets HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd' + get(),
  ]),
];

export const SEMANTICS: readonly HttpCase[] = [...RESOURCES, ...CONNECTIONS];
