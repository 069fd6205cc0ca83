import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy on the loopback address, which ends a connection when either side does. */
export interface Proxy {
  readonly port: number;
  close(): Promise<void>;
}

/** `carry` passes on what the two sides of each connection send. */
export async function startProxy(
  target: number,
  carry: (client: Socket, upstream: Socket) => void,
  port = 0,
): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
    carry(client, upstream);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
