// Runs a scenario of the protocol's conformance suite, which speaks HTTP, against a program that speaks on standard input and output:
// node conformance.mjs <scenario> <program> [argument...]
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const [scenario, program, ...args] = process.argv.slice(2);
const inner = new StdioClientTransport({
  command: process.execPath,
  args: [program, ...args],
  env: process.env,
});
const outer = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' });
outer.onmessage = (message) => void inner.send(message);
inner.onmessage = (message) => void outer.send(message);
await inner.start();

const server = createServer((request, response) => void outer.handleRequest(request, response));
server.listen(0, '127.0.0.1', () => {
  const suite = new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)
    .pathname;
  const url = `http://127.0.0.1:${server.address().port}`;
  const words = [suite, 'server', '--url', url, '--scenario', scenario];
  spawn(process.execPath, words, { stdio: 'inherit' }).on('exit', async (code) => {
    await inner.close();
    process.exit(code ?? 1);
  });
});
