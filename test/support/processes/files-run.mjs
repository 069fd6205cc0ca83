// Loaded into the built service before its own code. It prints a port. Each connection to this port gets, as JSON, how often the most
// called function of each file ran since the connection before. The names of the files are paths below `dist`.
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../../../dist/', import.meta.url).href;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function callsByFile() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ours = result.filter(({ url }) => url.startsWith(BUILD));
  return Object.fromEntries(
    ours.map(({ url, functions }) => [
      fileURLToPath(url).slice(fileURLToPath(BUILD).length),
      Math.max(...functions.map(({ ranges }) => ranges[0].count)),
    ]),
  );
}

const server = createServer((socket) => {
  void callsByFile().then((calls) => socket.end(JSON.stringify(calls)));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`Files at port ${server.address().port}\n`));
server.unref();
