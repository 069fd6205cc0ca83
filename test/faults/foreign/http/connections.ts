import { cases, get, type HttpCase, KEY, LENGTH, PET, post } from './http-case.js';

const pets = (headers = '', method = 'GET') => get(KEY + headers, '/v1/pets', method);
const CLOSE = 'Connection: close\r\n';

/** Connections that are kept alive or closed, and several requests on one connection. */
export const CONNECTIONS: readonly HttpCase[] = [
  ...cases(
    '9112 9.3: closed when asked for',
    '200 closed',
    // prettier-ignore
    [
      'close', 'Close', 'CLOSE', 'close, x', 'x, close', 'keep-alive, close', 'close, keep-alive', ',close',
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
  // Who sends what is no request behind good ones may get no answer to them (docs/decisions/0047-checks-of-a-request.md).
  ...cases('9112 9.3.2: what is no request ends the connection', '(200 )?(400 )?closed', [
    `${get()}X\r\n\r\n`,
    get() + get('X\r\n'),
    `${pets()}nonsense\r\n\r\n`,
    `${get()}\u0000\u0000`,
    pets() + get('X : y\r\n'),
  ]),
  ...cases('9112 9.3.2: what is no request ends the connection', '(201 )?(201 )?(200 )?(400 )?closed', [
    `${post(LENGTH)}X\r\n\r\n`,
    `${post(LENGTH)}xx`,
    `${post(LENGTH)}{}\r\n`,
    post(LENGTH) + get('X : y\r\n'),
    `${post(LENGTH).repeat(2)}${get()}X\r\n\r\n`,
  ]),
  ...cases('9112 9.3.2: what was good is answered before what was not', '200 400 closed', [
    pets() + get('Host: b\r\n'),
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
