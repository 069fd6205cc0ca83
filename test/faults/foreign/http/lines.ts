import { cases, get, type HttpCase } from './http-case.js';

const line = (text: string) => `${text}\r\nHost: a\r\n\r\n`;
const hosted = (host: string) => `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const REFUSED = '400 closed';

/** Request lines, targets, versions and Host. */
export const LINES: readonly HttpCase[] = [
  ...cases('9112 2.2: empty lines before a request', '200 open', [`\r\n${get()}`, `\r\n\r\n${get()}`]),
  // prettier-ignore
  ...cases('9112 2.2: bare CR', REFUSED, [
    'GET /livez HTTP/1.1\rHost: a\r\n\r\n', 'GET /livez HTTP/1.1\r\nHost: a\rX: b\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: a\r\nX: b\r\r\n\r\n', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: \rb\r\n\r\n',
    'GET /livez\r HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /livez HTTP/1.1\r\r\nHost: a\r\n\r\n',
  ]),
  // prettier-ignore
  ...cases('9112 2.2: bare LF, which nobody has to take', '(400 closed|200 open)', [
    'GET /livez HTTP/1.1\nHost: a\n\n', 'GET /livez HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: a\r\n\n', 'GET /livez HTTP/1.1\nHost: a\r\n\r\n',
  ]),
  ...cases('9112 2.2: a blank before the first header', REFUSED, [
    'GET /livez HTTP/1.1\r\n Host: a\r\n\r\n',
    'GET /livez HTTP/1.1\r\n\tHost: a\r\n\r\n',
    'GET /livez HTTP/1.1\r\n \r\nHost: a\r\n\r\n',
  ]),
  // RFC 9110 section 2.5 says "should"; Node's parser knows no such version (docs/decisions/0047-checks-of-a-request.md).
  ...cases('9112 2.3: a later minor version', '(200 open|400 closed)', [
    line('GET /livez HTTP/1.2'),
    line('GET /livez HTTP/1.9'),
  ]),
  ...cases(
    '9112 2.3: no version',
    '(400|505) closed',
    // prettier-ignore
    [
      'HTTP/2.0', 'HTTP/3.0', 'HTTP/0.9', 'HTTP/9.9', 'HTTP/1', 'HTTP/1.', 'HTTP/.1', 'HTTP/11', 'HTTP/1.10',
      'HTTP/01.1', 'HTTP/1.01', 'HTTP/-1.1', 'HTTP/1,1', 'HTTP 1.1', 'HTTP/ 1.1', 'HTTP/1.1x', 'HTTP/1.1 x',
      'http/1.1', 'Http/1.1', 'HTTPS/1.1', 'HTP/1.1', 'ICAP/1.0', 'FTP/1.1', '1.1', 'HTTP/', 'HTTP/x.y',
      'HTTP/1.¹',
    ].map((version) => line(`GET /livez ${version}`)),
    {},
  ),
  ...cases(
    '9112 3: no request line',
    REFUSED,
    // prettier-ignore
    [
      'GET', 'GET ', 'GET /livez', 'GET  HTTP/1.1', 'GET HTTP/1.1', '/livez HTTP/1.1',
      ' GET /livez HTTP/1.1', 'GET	/livez HTTP/1.1', 'GET /livez	HTTP/1.1', 'GET\v/livez HTTP/1.1',
      'GET /li vez HTTP/1.1', '	GET /livez HTTP/1.1', 'GET /livez\0 HTTP/1.1', 'G\0ET /livez HTTP/1.1',
      'GET / HTTP/1.1', 'GET / HTTP/1.1', 'GET,/livez,HTTP/1.1', 'ÿþ /livez HTTP/1.1',
      'GE(T /livez HTTP/1.1', 'GET: /livez HTTP/1.1', '"GET" /livez HTTP/1.1', 'GET@ /livez HTTP/1.1',
      'get /livez HTTP/1.1', 'Get /livez HTTP/1.1', 'GETT /livez HTTP/1.1', 'GE /livez HTTP/1.1',
      'STEAL /livez HTTP/1.1', '* * *', '{}',
    ].map(line),
  ),
  // prettier-ignore
  ...cases('9112 3: what other protocols begin with', REFUSED, [
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'EHLO a\r\n\r\n', '*1\r\n$4\r\nPING\r\n',
    'PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', '\u0000\u0000\u0000\u0000\r\n\r\n',
  ]),
  ...cases('9112 3.2: no Host', REFUSED, [
    'GET /livez HTTP/1.1\r\n\r\n',
    'GET http://a/livez HTTP/1.1\r\n\r\n',
    'GET /livez HTTP/1.1\r\nX-Host: a\r\n\r\n',
  ]),
  ...cases('9112 3.2: more than one Host', REFUSED, [
    get('Host: b\r\n'),
    get('Host: a\r\n'),
    get('hOST: a\r\n'),
    get('Host:\r\n'),
    get('X: y\r\nhost: b\r\n'),
    'GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n',
  ]),
  ...cases(
    '9112 3.2: a Host that is none',
    REFUSED,
    // prettier-ignore
    [
      '', ' ', 'user@h', 'user:pw@h', '@', 'h/path', '/', 'a, b', 'a,b', 'a b', '[::1', '::1]', '[]',
      '[::1]x', '[::1]:x', '[g::]', 'h:80:80', 'h:port', 'h:-1', 'h:+1', 'h:8 0', 'h?x', 'h#x', 'h\\x',
      '"a"', '<a>', '{a}', 'a|b', 'a^b', 'a`b', 'hé', '%zz', '%', '%4',
    ].map(hosted),
  ),
  ...cases(
    '9112 3.2: a good Host',
    '200 open',
    // prettier-ignore
    [
      'a', 'A', 'a.b', 'a-b', 'a_b', 'a:80', 'localhost:3000', '127.0.0.1', '127.0.0.1:65535', '[::1]',
      '[::1]:80', '[2001:db8::7]', 'pets.example.com', 'xn--bcher-kva.example', 'a:', '%41', 'a~b',
      "a!$&'()*+;=b", '1', 'a.', '  a', 'a 	',
    ].map(hosted),
  ),
  ...cases('9112 3.2.1: origin form', '200 open', [
    get('', '/livez?'),
    get('', '/livez?a=b'),
    get('', '/livez?a=/../?b'),
  ]),
  ...cases(
    '9112 3.2.1: another path',
    '404 open',
    // prettier-ignore
    [
      '/livez/', '/Livez', '//livez', '/./livez', '/v1/../livez', '/livez;a=b', '/livez%00', '/%2e%2e/livez',
      '/v1%2fpets', '/livez%20', '/v1//pets', '/v1/pets/', '//evil.example/livez', '/livez\\', "/livez'",
      '/%zz', '/%', '/%c0%af', '/%ff',
    ].map((target) => get('', target)),
  ),
  ...cases('9112 3.2.2: absolute form, whose host counts', '200 open', [
    get('', 'http://a/livez'),
    get('', 'http://other.example:81/livez?x'),
    get('', 'HTTP://A/livez'),
    get('', 'https://a/livez'),
    get('', 'http://a'),
    get('', 'http://a?x'),
    'GET http://b/livez HTTP/1.0\r\n\r\n'.replace('1.0', '1.1\r\nHost: c'),
  ]),
  ...cases(
    '9112 3.2.2: absolute form of something else',
    '(400 closed|404 open)',
    // prettier-ignore
    [
      'http:///livez', 'http:/livez', 'http:livez', 'ftp://a/livez', 'file:///etc/passwd', 'livez',
      'a/livez', '?livez', '#livez',
    ].map((target) => get('', target)),
  ),
  ...cases(
    '9112 3.2.3: authority form is for CONNECT',
    '405 closed',
    [get('', 'a:443', 'CONNECT'), get('', '127.0.0.1:22', 'CONNECT')],
    { has: /\r\nallow: /i },
  ),
  ...cases('9112 3.2.3: authority form is for CONNECT', '(400 closed|404 open)', [
    get('', 'a:443'),
    get('', 'a:443', 'POST'),
  ]),
  ...cases('9112 3.2.4: asterisk form is for OPTIONS', '(400 closed|404 open)', [
    get('', '*'),
    get('', '*', 'HEAD'),
    get('Content-Length: 0\r\n', '*', 'POST'),
  ]),
  ...cases('9112 3.2.4 and 9110 9.3.7: OPTIONS *', '(204|200) open', [get('', '*', 'OPTIONS')], {
    has: /\r\nallow: .*GET/i,
  }),
  ...cases('9110 4.1: 8,000 bytes of address are little enough', '200 open', [
    get('', `/livez?${'x'.repeat(7_990)}`),
  ]),
  ...cases('9110 15.5.15: an address that is too long', '414 closed', [
    get('', `/livez?${'x'.repeat(8_200)}`),
    get('', `/${'x'.repeat(20_000)}`),
    get('', `http://a/${'x'.repeat(10_000)}`),
  ]),
];
