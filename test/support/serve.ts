import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  /** `http://127.0.0.1:` and the port. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Lets an application listen on a free port of this machine. */
export async function serve(application: RequestListener): Promise<Served> {
  const server = createServer(application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
