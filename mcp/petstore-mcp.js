#!/usr/bin/env node
// The operations of a running Pet Store as tools of the Model Context Protocol, on standard input and output.
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as protocol from '@modelcontextprotocol/sdk/types.js';
import { Transport } from '@petstore/client';
import { callTool, TRY_MS } from './call.js';
import { operationsOf } from './operations.js';

const { version } = createRequire(import.meta.url)('./package.json');
const HELP = `petstore-mcp [--write]

It offers the operations of a running Pet Store as tools for agents, on standard input and output.

  --write    also offers the tools that change something
  --version  prints the version
  --help     prints this text

PETSTORE_URL      the base URL of the service, such as https://petstore.example/v1
PETSTORE_API_KEY  the API key`;

const given = process.argv.slice(2);
const mayWrite = given.includes('--write');
if (given.includes('--help')) console.log(HELP);
else if (given.includes('--version')) console.log(version);
else await start();

/** Hosts show a server that ends at once as failed. So the start fails if a person has to correct the settings. */
async function start() {
  try {
    const unknown = given.find((argument) => argument !== '--write');
    if (unknown !== undefined) throw new Error(`${unknown} is unknown. See petstore-mcp --help.`);
    const [baseUrl, apiKey] = ['PETSTORE_URL', 'PETSTORE_API_KEY'].map(settingOf);
    // For a longer Retry-After the result is the error, so that the caller decides.
    const transport = new Transport({ baseUrl, apiKey, timeoutMs: TRY_MS, maxWaitMs: TRY_MS });
    const document = await documentBeside(baseUrl.replace(/\/+$/, ''));
    const operations = operationsOf(document);
    await checkKey(transport, operations);
    await serve(transport, operations, document);
  } catch ({ message }) {
    const text = message.replace('baseUrl', 'PETSTORE_URL').replace('apiKey', 'PETSTORE_API_KEY');
    console.error(`petstore-mcp: ${text}`);
    process.exitCode = 2;
  }
}

function settingOf(name) {
  const value = process.env[name]?.trim();
  if (!value) throw new Error(`There is no ${name}. Set it in the environment of the server.`);
  return value;
}

async function documentBeside(base) {
  const url = new URL('../openapi.json', `${base}/`);
  const response = await fetch(url, { signal: AbortSignal.timeout(TRY_MS) }).catch(({ message, cause }) => {
    throw new Error(
      `${url} cannot be reached (${cause?.code ?? message}). Start the service, or correct PETSTORE_URL.`,
    );
  });
  const document = await response.json().catch(() => undefined);
  const [end = '/v1'] = /\/[^/]*$/.exec(document?.servers?.[0]?.url) ?? [];
  if (document?.paths && base.endsWith(end)) return document;
  throw new Error(
    `There is no Pet Store at ${base}. Set PETSTORE_URL to its base URL, which ends in ${end}.`,
  );
}

/** Only an unknown key ends the start. Other errors may be gone at the next call, whose result says them. */
async function checkKey(transport, operations) {
  const list = operations.find(
    ({ method, tool, sunset }) => method === 'GET' && !sunset && tool.inputSchema.required.length === 0,
  );
  if (!list) return;
  const options = { maxTries: 1 };
  const request = { operation: list.tool.name, method: 'GET', path: list.path, options };
  await transport
    .send(() => request)
    .catch(({ status, message }) => {
      if (status === 401) throw new Error(`The service does not accept PETSTORE_API_KEY. ${message}`);
    });
}

async function serve(transport, operations, document) {
  const offered = () =>
    operations.filter(({ method, sunset }) => (mayWrite || method === 'GET') && !isOver(sunset));
  const options = { capabilities: { tools: {} }, instructions: instructionsOf(document) };
  // Not McpServer, which takes the schemas of Zod only.
  const server = new Server({ name: 'petstore-mcp', title: 'Pet Store', version }, options);
  server.setRequestHandler(protocol.ListToolsRequestSchema, () => ({
    tools: offered().map(({ tool }) => tool),
  }));
  server.setRequestHandler(protocol.CallToolRequestSchema, ({ params }, { signal }) => {
    const named = ({ tool }) => tool.name === params.name;
    const operation = offered().find(named);
    if (operation) return callTool(transport, operation, params.arguments ?? {}, signal);
    const fault = whyNot(params.name, operations.find(named));
    throw new protocol.McpError(protocol.ErrorCode.InvalidParams, fault);
  });
  // Calls in flight are cancelled, so that the process ends.
  process.stdin.on('end', () => void server.close());
  // Nobody reads the results.
  process.stdout.on('error', () => process.exit());
  await server.connect(new StdioServerTransport(Readable.from(withoutMark(process.stdin))));
}

const isOver = (sunset) => sunset !== undefined && Date.now() >= Date.parse(sunset);

function whyNot(name, operation) {
  if (!operation) return `There is no tool ${name}.`;
  const { sunset, instead = '' } = operation;
  if (isOver(sunset)) return `${name} was removed on ${sunset}. ${instead}`.trim();
  return `${name} changes something. Tools that write need the argument --write at the start of the server.`;
}

function instructionsOf({ info }) {
  const [what = 'A pet store.'] = /^.*?\.(?=\s|$)/s.exec(info?.description ?? '') ?? [];
  return [
    what.replaceAll(/\s+/g, ' '),
    'The ids, and other integers of 64 bits, are text in arguments and in structured results.',
    'A list returns one page and the cursor of the next one, so repeat the call with this cursor to see more.',
    'If the result of a call that adds something names an Idempotency-Key, repeat the call with this key, and it is done once.',
    mayWrite
      ? 'Tools without the hint that they only read change the shop at once.'
      : 'The tools only read, and the person who started the server can add the argument --write for the others.',
  ].join(' ');
}

/** The bytes of a stream without the byte order mark that some programs begin with. */
async function* withoutMark(stream) {
  const decoder = new TextDecoder();
  for await (const chunk of stream) yield Buffer.from(decoder.decode(chunk, { stream: true }));
}
