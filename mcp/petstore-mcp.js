#!/usr/bin/env node
// The operations of a running Pet Store as tools of the Model Context Protocol, on standard input and output.
import { createRequire } from 'node:module';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as protocol from '@modelcontextprotocol/sdk/types.js';
import { Transport } from '@petstore/client';
import { callTool } from './call.js';
import { operationsOf } from './operations.js';

try {
  const unknown = process.argv.slice(2).find((argument) => argument !== '--write');
  if (unknown !== undefined) throw new Error(`${unknown} is unknown. The only argument is --write.`);
  const baseUrl = process.env.PETSTORE_URL ?? '';
  // For a longer Retry-After the result is the error, so that the caller decides.
  const transport = new Transport({ baseUrl, maxWaitMs: 10_000 });
  const document = await documentBeside(baseUrl.replace(/\/+$/, ''));
  await serve(transport, operationsOf(document, process.argv.includes('--write')));
} catch ({ message }) {
  const text = message.replace('baseUrl', 'PETSTORE_URL').replace('give the option apiKey, or ', '');
  console.error(`petstore-mcp: ${text}`);
  process.exitCode = 2;
}

async function documentBeside(base) {
  const url = new URL('../openapi.json', `${base}/`);
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(({ message, cause }) => {
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

async function serve(transport, operations) {
  const { version } = createRequire(import.meta.url)('./package.json');
  // Not McpServer, which takes the schemas of Zod only.
  const server = new Server({ name: 'petstore-mcp', version }, { capabilities: { tools: {} } });
  const tools = operations.map(({ tool }) => tool);
  server.setRequestHandler(protocol.ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(protocol.CallToolRequestSchema, ({ params }, { signal }) => {
    const operation = operations.find(({ tool }) => tool.name === params.name);
    if (operation) return callTool(transport, operation, params.arguments ?? {}, signal);
    const fault = `There is no tool ${params.name}. Tools that write need the argument --write.`;
    throw new protocol.McpError(protocol.ErrorCode.InvalidParams, fault);
  });
  await server.connect(new StdioServerTransport());
}
