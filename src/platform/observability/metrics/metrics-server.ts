import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';

/** Prometheus' text format, version 0.0.4. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves what `read` writes at `/metrics`, and nothing else, on a port of its own. @returns once it listens */
export async function serveMetrics(
  read: () => Promise<string>,
  { metricsHost, metricsPort }: Pick<Settings, 'metricsHost' | 'metricsPort'>,
): Promise<Server> {
  const log = new Logger('Metrics');
  const server = createServer(({ method, url }, response) => {
    if (method !== 'GET' || !/^\/metrics(?:\?|$)/.test(url!)) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('GET /metrics\n');
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      (error: unknown) => {
        log.warn(`The metrics cannot be read: ${String(error)}`);
        response.writeHead(503).end();
      },
    );
  });
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  log.log(`Serving http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`);
  return server;
}
