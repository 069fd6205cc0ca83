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

/** Methods, validators and other metadata of a resource, media types, authentication. */
export const RESOURCES: readonly HttpCase[] = [
  ...cases(
    '9110 8.3: media types',
    '201 open',
    // prettier-ignore
    [
      'application/json', 'Application/JSON', 'application/json; charset=utf-8',
      'application/json;charset=UTF-8', 'application/json ; charset="utf-8"', 'application/json;',
      'application/json ;', 'application/json; charset=utf-8;',
    ].map(typed),
  ),
  ...cases(
    '9110 15.5.16: other media types',
    '415 (open|closed)',
    // prettier-ignore
    [
      '', 'text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x', '*/*', 'json', 'application/json; charset=latin1',
      'application/json; charset=utf-16', 'application/json, text/plain', 'application/jsonx',
      'application/ json', 'application/json-seq', 'application/vnd.api+json', 'application', '/', ';',
      'application/json charset=utf-8', '"application/json"',
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
    // prettier-ignore
    [
      'PUT', 'PATCH', 'DELETE', 'POST', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'LINK', 'PURGE', 'MKCOL',
      'LOCK', 'M-SEARCH', 'REPORT',
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
      // prettier-ignore
      ...[
        'Bearer', 'Bearer ', 'Bearer x', 'Basic dTpw', 'bearer x y', 'Bearer, x', 'Bearer\tx', 'Digest a=b',
        'Token x', '=', 'Bearer x,Bearer y',
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
