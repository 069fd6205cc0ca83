import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, drop, keepSilent, refuse, ScriptedServer } from '../client/scripted-server.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { sqlite } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { keepFolder } from '../support/processes/keeper.js';
import { TreeCopy } from '../support/processes/tree-copy.js';
import { Program } from '../support/program.js';
import { readText } from '../support/read-text.js';
import { type Served, serve } from '../support/serve.js';
import { type Service, startService } from '../support/service.js';
import { installByLock } from './support/install.js';

const SOURCE = resolve(import.meta.dirname, 'mcp');
const README = readText(resolve(import.meta.dirname, '../../mcp/README.md'));
const REX = { name: 'Rex', categoryId: '7' };
const LARGEST = '9223372036854775807';
/** Hosts wait for 60 s, and a call ends before. */
const HOSTS = { timeout: 50_000 };
const ADDRESS = 'PETSTORE_URL must be an address like https://petstore.example/v1.';
const ELSEWHERE = 'Set PETSTORE_URL to its base URL, which ends in /v1.';

interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: object;
  readonly isError?: boolean;
}
interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly required: string[]; readonly properties: Record<string, object> };
  readonly annotations: Readonly<Record<string, boolean>>;
}
/** The client of the protocol's SDK. */
interface Client {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: Tool[] }>;
  callTool(call: { name: string; arguments?: object }, schema?: undefined, options?: object): Promise<Result>;
  getInstructions(): string;
  ping(): Promise<object>;
  close(): Promise<void>;
}
type Make<T> = new (options: object) => T;
/** A transport of the protocol's SDK. */
interface Line {
  onmessage: (message: object) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

describe('petstore-mcp as it is published', () => {
  let folder: string;
  let home: string;
  let sdk: {
    Client: Make<Client>;
    StdioClientTransport: Make<Line>;
    StreamableHTTPServerTransport: Make<Line>;
  };
  let service: Service;
  let faulty: ScriptedServer;
  let document: object;
  let writing: Client;
  const clients: Client[] = [];

  beforeAll(async () => {
    const installed = installByLock(SOURCE, '--engine-strict=false', '--ignore-scripts');
    folder = await mkdtemp(join(tmpdir(), 'petstore-mcp-'));
    keepFolder(folder);
    const tree = await TreeCopy.make();
    const [, tried] = /## Try it in the source\n.*?```sh\n(.*?)\n```/s.exec(README)!;
    const first = await tree.run('sh', ['-c', tried!], process.env as Record<string, string>);
    expect([first.code, first.output]).toEqual([0, expect.stringMatching(/^petstore-mcp \[--write\]$/m)]);
    // The commands of the README; the second one installs for this test alone.
    const [pack, install] = /```sh\n(.*?)\n(.*?)\n```/s.exec(README)!.slice(1) as [string, string];
    const script = `${pack} && ${install} --prefix ${folder} --no-audit --no-fund`;
    const { code, output } = await tree.run('sh', ['-c', script], process.env as Record<string, string>);
    expect(code, output).toBe(0);
    await tree.remove();
    home = await installed;
    const part = (name: string) =>
      import(join(home, `node_modules/@modelcontextprotocol/sdk/dist/esm/${name}.js`)) as Promise<typeof sdk>;
    const parts = ['client/index', 'client/stdio', 'server/streamableHttp'].map(part);
    sdk = Object.assign({}, ...(await Promise.all(parts))) as typeof sdk;

    service = await startService(sqlite, { modules: [AppointmentsModule] });
    document = (await service.stranger.get('/openapi.json')).json as object;
    faulty = await ScriptedServer.start();
    writing = await connect(['--write']);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await faulty?.stop();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const bin = () => join(folder, 'bin/petstore-mcp');
  const environment = () => ({
    PATH: join(folder, 'bin') + delimiter + process.env['PATH'],
    PETSTORE_URL: `http://127.0.0.1:${service.port}/v1`,
    PETSTORE_API_KEY: service.secret,
  });

  /** A client that is configured as the README says. */
  async function connect(args: string[] = [], more: Record<string, string> = {}): Promise<Client> {
    const { mcpServers } = JSON.parse(/```json\n(.*?)```/s.exec(README)![1]!) as {
      mcpServers: { petstore: { command: string; args: string[]; env: object } };
    };
    const { command, args: none, env } = mcpServers.petstore;
    expect([none, Object.keys(env)]).toEqual([[], ['PETSTORE_URL', 'PETSTORE_API_KEY']]);
    const client = new sdk.Client({ name: 'test', version: '1' });
    const options = { command, args, env: { ...env, ...environment(), ...more }, stderr: 'ignore' };
    await client.connect(new sdk.StdioClientTransport(options));
    clients.push(client);
    return client;
  }

  /** The server on HTTP, because the conformance tests only speak HTTP. */
  async function bridgeTo(more: Record<string, string>): Promise<Served> {
    const options = { command: bin(), args: [], env: { ...environment(), ...more }, stderr: 'ignore' };
    const stdio = new sdk.StdioClientTransport(options);
    const http = new sdk.StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
    stdio.onmessage = (message) => void http.send(message);
    http.onmessage = (message) => void stdio.send(message);
    await Promise.all([stdio.start(), http.start()]);
    const served = await serve((request, response) => void http.handleRequest(request, response));
    return {
      ...served,
      close: () =>
        stdio
          .close()
          .then(() => http.close())
          .then(() => served.close()),
    };
  }

  /** A client of a service that has this document. */
  function connectToFaulty(served: object): Promise<Client> {
    faulty.does(answer(200, served));
    return connect(['--write'], { PETSTORE_URL: `${faulty.origin}/v1/` });
  }

  /** Calls a tool, which must succeed or, as expected, fail. @returns the texts of its result */
  const calling =
    (refuses: boolean) =>
    async (name: string, given: object = {}, client = writing): Promise<string[]> => {
      const { content, isError = false } = await client.callTool(
        { name, arguments: given },
        undefined,
        HOSTS,
      );
      expect(isError, content[0]?.text).toBe(refuses);
      return content.map(({ text }) => text);
    };
  const [call, refusalOf] = [calling(false), calling(true)];

  it('has the operations of the OpenAPI document, also of a new module, with a description of each', async () => {
    const { tools } = await writing.listTools();
    const { paths } = document as { paths: Record<string, Record<string, { operationId: string }>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      operations.map((one) => one.operationId).toSorted(),
    );
    const hints = Object.fromEntries(
      tools.map(({ name, annotations: of }) => [
        name,
        [of['readOnlyHint'], of['destructiveHint'], of['idempotentHint']],
      ]),
    );
    expect(hints).toMatchObject({
      listPets: [true, false, true],
      createPet: [false, false, false],
      updateOrder: [false, true, false],
      deleteAppointment: [false, true, true],
    });
    const { listOrders, createPet, updateAppointment } = Object.fromEntries(
      tools.map((tool) => [tool.name, tool]),
    ) as Record<string, Tool>;
    expect(listOrders).toMatchObject({
      title: 'Lists orders',
      description: expect.stringContaining('Experimental') as string,
    });
    expect(Object.keys(createPet!.inputSchema.properties)).toEqual(['Idempotency-Key', 'body']);
    expect(updateAppointment!.inputSchema.properties['body']).toMatchObject({
      properties: { price: { type: ['string', 'null'], pattern: '^-?[0-9]{1,19}$' } },
    });
    expect(writing.getInstructions().match(/\.(?= |$)/g)).toHaveLength(5);
  });

  it('can only read unless it is started with --write', async () => {
    const reading = await connect();
    expect(await reading.ping()).toEqual({});
    const { tools } = await reading.listTools();
    expect(tools.map(({ annotations }) => annotations['readOnlyHint'])).not.toContain(false);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['listPets', 'listAppointments']));
    const write = call('createPet', { body: REX }, reading);
    await expect(write).rejects.toThrow('Tools that write need the argument --write');
  });

  it('keeps each digit of an int64 in both directions, and the exact text of the response', async () => {
    for (const categoryId of [LARGEST, '-9223372036854775808', '9007199254740993']) {
      const [text] = await call('createPet', { body: { name: 'Rex "{7}" 🐕', categoryId } });
      expect(text).toContain(`"categoryId":${categoryId},`);
      const [, id] = /"id":(\d+)/.exec(text!)!;
      expect(await call('listPets', { id: [id] })).toEqual([`[${text}]`, 'This is the last page.']);
      const found = await writing.callTool({ name: 'listPets', arguments: { id: [id] } });
      expect(found.structuredContent).toEqual({
        items: [{ id, name: 'Rex "{7}" 🐕', categoryId, status: 'available' }],
      });
    }
    const [list] = await call('listPets');
    expect(list).toBe((await service.client.get('/v1/pets')).text);

    const body = { petId: LARGEST, kind: 'check', vet: 'Ada' };
    const appointmentId = /"id":(\d+)/.exec((await call('createAppointment', { body }))[0]!)![1];
    expect((await call('listAppointments', { petId: LARGEST }))[0]).toContain(`"petId":${LARGEST},`);
    const change = (price: string | null) => call('updateAppointment', { appointmentId, body: { price } });
    expect((await change('9007199254740993'))[0]).toContain('"price":9007199254740993');
    expect((await change(null))[0]).not.toContain('price');
    expect(await call('deleteAppointment', { appointmentId })).toEqual(['The response is 204.']);

    const rounded = refusalOf('createPet', { body: { name: 'Rex', categoryId: 2 ** 53 } });
    expect(await rounded).toEqual([expect.stringContaining('9007199254740992 may have lost digits')]);
  });

  it('returns the cursor of the next page', async () => {
    for (const name of ['Mia', 'Kim', 'Leo'])
      await call('createPet', { body: { ...REX, name, status: 'sold' } });
    const [first, next] = await call('listPets', { status: 'sold', limit: 2 });
    const cursor = /the cursor (\S+)$/.exec(next!)![1];
    const { structuredContent } = await writing.callTool({
      name: 'listPets',
      arguments: { status: 'sold', limit: 2 },
    });
    expect(structuredContent).toMatchObject({ nextCursor: cursor });
    const [second, last] = await call('listPets', { status: 'sold', limit: 2, cursor });
    const namesIn = (text: string) => (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
    expect([namesIn(first!), namesIn(second!)]).toEqual([['Leo', 'Kim'], ['Mia']]);
    expect(last).toBe('This is the last page.');
  });

  it('sends the headers of an operation, such as Idempotency-Key and If-Match', async () => {
    const twin = { 'Idempotency-Key': 'twin-1', body: REX };
    const [pet] = await call('createPet', twin);
    const replayed = [pet, 'Idempotency-Replayed: true'];
    expect(await call('createPet', twin)).toEqual(replayed);
    expect(await call('createPet', { ...twin, 'Idempotency-Key': '"twin-1"' })).toEqual(replayed);
    const [, petId] = /"id":(\d+)/.exec(pet!)!;
    const [, orderId] = /"id":(\d+)/.exec((await call('createOrder', { body: { petId } }))[0]!)!;
    const [, tag] = await call('getOrder', { orderId });
    const change = { orderId, 'If-Match': tag!.replace('ETag: ', ''), body: { status: 'approved' } };
    expect((await call('updateOrder', change))[0]).toContain('"status":"approved"');
    const [refusal] = await refusalOf('updateOrder', { ...change, body: { status: 'delivered' } });
    expect(refusal).toContain('"code":"precondition_failed"');
  });

  it('returns an error of the service with all its problems', async () => {
    const [text] = await refusalOf('createPet', { body: { name: ' ', categoryId: '9223372036854775808' } });
    const { code, details } = JSON.parse(text!) as { code: string; details: { field: string }[] };
    expect([code, details.map(({ field }) => field)]).toEqual([
      'validation_failed',
      ['/name', '/categoryId'],
    ]);
  });

  it.each([
    ['getOrder', {}, 'orderId is missing.'],
    ['getOrder', { orderId: null }, 'orderId must be text, not null.'],
    ['getOrder', { orderId: '..' }, 'orderId must be a whole number as text, such as "7".'],
    ['listPets', { limitt: 1 }, 'limitt is unknown. The arguments are limit, cursor, status, id.'],
    ['createPet', REX, `Put name, categoryId into body, as in ${JSON.stringify({ body: REX })}.`],
    ['createPet', { 'Idempotency-Key': 'one\ntwo', body: REX }, /^Idempotency-Key has characters that are /],
    [
      'updateOrder',
      { orderId: '1', 'If-Match': 'one\ntwo', body: {} },
      /If-Match has .* body\.status is missing\.$/,
    ],
  ])('names the wrong argument of a call: %s %j', async (name, given, text) => {
    expect(await refusalOf(name, given)).toEqual([expect.stringMatching(text)]);
  });

  it('understands what agents send in place of the types of the schema', async () => {
    const [mia] = await call('createPet', { 'Idempotency-Key': '', body: '{"name":"Mia","categoryId":7}' });
    expect(mia).toContain('"name":"Mia","categoryId":7,');
    const [, id] = /"id":(\d+)/.exec(mia!)!;
    for (const given of [`["${id}"]`, `[${id}]`, ` ${id} `, `${id}, 999999`, Number(id), [Number(id)]])
      expect(await call('listPets', { id: given, status: null, cursor: '', limit: '5' })).toEqual([
        `[${mia}]`,
        'This is the last page.',
      ]);
  });

  it('does not offer an operation that is gone, and names what replaces it', async () => {
    const parameters = [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }];
    const old = { parameters, summary: 'Returns one animal.', 'x-successor': '/pets', deprecated: true };
    const paths = {
      '/pets': { get: { operationId: 'listPets', summary: 'Lists animals.' } },
      '/pets/{petId}': {
        get: { ...old, operationId: 'getPet', 'x-deprecated-sunset': '2020-01-31' },
        delete: { ...old, operationId: 'deletePet', 'x-deprecated-sunset': '9999-12-31' },
      },
    };
    const client = await connectToFaulty({ servers: [{ url: '/v1' }], paths });
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['listPets', 'Lists animals.'],
      ['deletePet', 'Returns one animal. Call listPets instead.'],
    ]);
    const gone = call('getPet', { petId: '1' }, client);
    await expect(gone).rejects.toThrow('getPet was removed on 2020-01-31. Call listPets instead.');
    faulty.does(refuse(410, 'operation_removed'));
    const [, instead] = await refusalOf('deletePet', { petId: '1' }, client);
    expect(instead).toBe('Call listPets instead.');
  });

  it('says whether a call was executed when the service does not respond or is overloaded', async () => {
    const client = await connectToFaulty(document);
    faulty.does(drop);
    const [away, advice] = await refusalOf('createPet', { body: REX }, client);
    expect(away).toBe(`${faulty.origin} did not answer, tries: 4.`);
    const keys = new Set(faulty.arrivals.map(({ headers }) => headers['idempotency-key']));
    expect(keys).toEqual(new Set([`"${/ Idempotency-Key (\S+)$/.exec(advice!)![1]}"`]));

    faulty.does(drop);
    const body = { petId: '1', kind: 'check', vet: 'Ada' };
    expect(await refusalOf('createAppointment', { body }, client)).toEqual([
      `${faulty.origin} did not answer, tries: 1.`,
      'It may have been executed. Read what is there before you repeat the call.',
    ]);
    faulty.does(refuse(429, 'rate_limited', { 'Retry-After': '3600' }));
    expect(await refusalOf('listPets', {}, client)).toEqual([
      '{"code":"rate_limited","message":"This is rate_limited.","status":429}',
      'Retry-After: 3600',
    ]);
    expect(faulty.arrivals.length).toBe(1);
    faulty.does(answer(404, '<html>'));
    expect((await refusalOf('listPets', {}, client))[0]).toContain('answered 404');
  });

  it('ends a call before its host gives up, if the service hangs, and names the key', async () => {
    const client = await connectToFaulty(document);
    faulty.does(keepSilent);
    const [text, advice] = await refusalOf('createPet', { body: REX }, client);
    expect(text).toBe(`${faulty.origin} did not answer, tries: 4.`);
    const keys = new Set(faulty.arrivals.map(({ headers }) => headers['idempotency-key']));
    expect(keys).toEqual(new Set([`"${/ Idempotency-Key (\S+)$/.exec(advice!)![1]}"`]));
  });

  it('ends a call before its host gives up, if the service is slow and asks for long waits', async () => {
    const client = await connectToFaulty(document);
    const overloaded = refuse(503, 'overloaded', { 'Retry-After': '10' });
    // Four tries with the waits between them would take longer than the host waits.
    faulty.does((...request) => void setTimeout(() => overloaded(...request), 9_000));
    const [text, advice] = await refusalOf('createPet', { body: REX }, client);
    expect(text).toBe('The service did not answer within 45 s.');
    expect(advice).toMatch(/^It may have been executed\. Repeat the call with Idempotency-Key \S+$/);
  });

  it.each(['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'])(
    'passes the scenario %s of the conformance tests of the protocol',
    async (scenario) => {
      // The tools that the scenarios call.
      const get = (name: string) => ({ get: { operationId: name, summary: 'Is called by a scenario.' } });
      const paths = { '/text': get('test_simple_text'), '/error': get('test_error_handling') };
      const [document, error] = [
        answer(200, { servers: [{ url: '/v1' }], paths }),
        refuse(400, 'bad_request'),
      ];
      faulty.does((response, arrival) => (arrival.url === '/v1/error' ? error : document)(response, arrival));
      const bridge = await bridgeTo({ PETSTORE_URL: `${faulty.origin}/v1` });
      const program = join(home, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
      const args = ['server', '--url', bridge.origin, '--scenario', scenario];
      const { code, output } = await Program.start(program, args, {}).end();
      await bridge.close();
      expect(output).toMatch(/Passed: [1-9]/);
      expect(code, output).toBe(0);
    },
  );

  it('sends what an OpenAPI document describes: a PUT, a text in the path, a nested int64', async () => {
    const line = { type: 'object', properties: { count: { type: 'integer', format: 'int64' }, parts: {} } };
    const lines = { type: 'array', items: { $ref: '#/components/schemas/Line' } };
    line.properties.parts = lines;
    const put = {
      operationId: 'replaceLines',
      summary: 'Replaces the lines.',
      parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { lines } } } } },
    };
    const paths = { '/lists/{code}': { put } };
    const served = { servers: [{ url: '/v1' }], paths, components: { schemas: { Line: line } } };
    const client = await connectToFaulty(served);
    faulty.does(answer(200, '{"count":9223372036854775807}'));
    const given = { code: 'a b/c', body: { lines: [{ count: LARGEST, parts: [{ count: 7 }] }] } };
    expect(await call('replaceLines', given, client)).toEqual(['{"count":9223372036854775807}']);
    expect(faulty.arrivals).toMatchObject([
      {
        method: 'PUT',
        url: '/v1/lists/a%20b%2Fc',
        body: `{"lines":[{"count":${LARGEST},"parts":[{"count":7}]}]}`,
      },
    ]);
  });

  it.each([
    ['PETSTORE_URL', undefined, 'There is no PETSTORE_URL. Set it in the environment of the server.'],
    ['PETSTORE_URL', 'ftp://x/v1', ADDRESS],
    ['PETSTORE_URL', 'HERE', `There is no Pet Store at HERE. ${ELSEWHERE}`],
    ['PETSTORE_URL', 'HERE/docs/v1', `There is no Pet Store at HERE/docs/v1. ${ELSEWHERE}`],
    [
      'PETSTORE_URL',
      'AWAY/v1',
      'AWAY/openapi.json cannot be reached (ECONNREFUSED). Start the service, or correct PETSTORE_URL.',
    ],
    ['PETSTORE_API_KEY', undefined, 'There is no PETSTORE_API_KEY. Set it in the environment of the server.'],
    ['PETSTORE_API_KEY', 'ä', 'PETSTORE_API_KEY is empty or has characters that no key has.'],
    [
      'PETSTORE_API_KEY',
      'psk_test_unknown',
      'The service does not accept PETSTORE_API_KEY. The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one.',
    ],
    ['--wriet', 'x', '--wriet is unknown. See petstore-mcp --help.'],
  ])('does not start with a bad %s (%s), and reports it', async (name, value, sentence) => {
    const stopped = await ScriptedServer.start();
    const { origin } = stopped;
    await stopped.stop();
    const real = (text: string) =>
      text.replace('HERE', `http://127.0.0.1:${service.port}`).replace('AWAY', origin);
    const { [name]: _, ...others } = environment() as Record<string, string>;
    const args = name.startsWith('--') ? [name] : [];
    const program = Program.run(bin(), args, { ...others, ...(value && { [name]: real(value) }) });
    const { code, stdout, stderr } = await program.end();
    expect([code, stdout, stderr]).toEqual([2, '', `petstore-mcp: ${real(sentence)}\n`]);
  });

  it('reads settings that have blanks and a byte order mark around them', async () => {
    const { PETSTORE_URL, PETSTORE_API_KEY } = environment();
    const client = await connect([], {
      PETSTORE_URL: `\uFEFF${PETSTORE_URL} `,
      PETSTORE_API_KEY: ` ${PETSTORE_API_KEY}\r\n`,
    });
    expect((await client.listTools()).tools.length).toBeGreaterThan(3);
  });

  it.each([
    ['--help', /^petstore-mcp \[--write\]\n[^]*PETSTORE_API_KEY {2}the API key\n$/],
    ['--version', /^\d+\.\d+\.\d+\n$/],
  ])('answers %s without a service', async (argument, text) => {
    const { PATH } = environment();
    const { code, stdout, stderr } = await Program.run(bin(), [argument], { PATH }).end();
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(text), '']);
  });

  describe('on its standard input and output', () => {
    const start = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const messages = (name: string, given: object) =>
      [
        { id: 1, method: 'initialize', params: start },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/call', params: { name, arguments: given } },
      ]
        .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        .join('');

    it('writes only the protocol to standard output, and ends with its standard input', async () => {
      // The client warns of deprecated operations.
      const deprecated = { Deprecation: '@1763596800' };
      faulty.does(answer(200, document, deprecated));
      const settings = { ...environment(), PETSTORE_URL: `${faulty.origin}/v1` };
      const program = Program.run(bin(), [], settings);
      // Some programs begin with a byte order mark.
      program.write(`\uFEFF${messages('listPets', {})}no protocol\n`);
      await program.printed(/"id":2/);
      const { code, stdout, stderr } = await program.feed('').end();
      const ids = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id);
      expect([code, ids]).toEqual([0, [1, 2]]);
      expect(stderr).toContain('listPets is deprecated');
    });

    it('cancels a call in flight and ends when its standard input ends', async () => {
      faulty.does(answer(200, document), answer(200, []), keepSilent);
      const settings = { ...environment(), PETSTORE_URL: `${faulty.origin}/v1` };
      const program = Program.run(bin(), ['--write'], settings).write(messages('createPet', { body: REX }));
      await eventually(async () => faulty.arrivals.length === 3);
      const { code, stderr } = await program.feed('').end();
      expect([code, stderr]).toEqual([0, '']);
      // Another try would follow after 10 s.
      expect(faulty.arrivals).toHaveLength(3);
    });

    it('ends without a stack when its standard output is closed', async () => {
      const program = Program.run(bin(), [], environment()).stopReading();
      program.write(messages('listPets', {}));
      const { code, stderr } = await program.end();
      expect([code, stderr]).toEqual([0, '']);
    });
  });
});
