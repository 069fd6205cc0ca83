import { connect, type Socket } from 'node:net';
import { Caller } from '../../support/load/caller.js';
import type { Replica } from '../../support/servers/replica.js';
import { eventually } from '../../../support/eventually.js';
import { answersIn } from '../support/exchange.js';
import { HaProxy } from './haproxy.js';
import { HIDDEN_READ } from './messages.js';
import type { Shape } from './shapes.js';

/** The deployed proxy, which rarely shares a connection between clients; and variants that always do, one of them lenient. */
export const PROXIES = [
  { name: 'as it is deployed', shares: false, change: (text: string) => text },
  {
    name: 'with connections for all',
    shares: true,
    change: (text: string) => `${text}\n  http-reuse always\n`,
  },
  {
    name: 'with connections for all, and lenient',
    shares: true,
    change: (text: string) =>
      `${text}\n  http-reuse always\n`.replace(
        'frontend clients\n',
        'frontend clients\n  option accept-invalid-http-request\n',
      ),
  },
];

/** The results of sending some shapes to the proxy and the service behind it. */
export interface Attacked {
  readonly problems: string[];
  /** The ids of all requests that the proxy forwarded or refused itself. */
  readonly sent: string[];
  /** Number of attacker requests that the proxy forwarded, and of victims whose connection an attacker had used. */
  forwarded: number;
  shared: number;
}

/** A service behind HAProxy, an attacker and a victim who use the same proxy. */
export class ProxiedService {
  readonly #victim: Caller;

  private constructor(private readonly proxy: HaProxy) {
    this.#victim = new Caller(`http://127.0.0.1:${proxy.port}`);
  }

  static async start(replica: Replica, change: (configuration: string) => string): Promise<ProxiedService> {
    return new ProxiedService(await HaProxy.start(replica.port, change));
  }

  /** Sends each shape, followed by a request of a victim. */
  async attack(shapes: readonly Shape[]): Promise<Attacked> {
    const problems: string[] = [];
    let forwarded = 0;
    let shared = 0;
    await this.#ask('none');
    for (const [i, { name, message }] of shapes.entries()) {
      const before = this.proxy.log.length;
      const { socket, received } = await this.#send(message(HIDDEN_READ));
      const problem = await this.#ask(String(i));
      if (problem) problems.push(`${name}: ${problem}`);
      if (received().includes('Victim')) problems.push(`${name}: the attacker has the answer of the victim`);
      socket.destroy();
      await eventually(() => Promise.resolve(this.#isLogged(before, String(i))));
      const sent = this.proxy.log.slice(before).filter(({ server }) => server === 'petstore-1');
      const victim = sent.find((one) => one.victim === String(i));
      const attacks = sent.filter((one) => one.victim === '-');
      forwarded += attacks.length;
      if (attacks.some(({ port }) => port === victim?.port)) shared += 1;
    }
    this.#victim.close();
    await this.proxy.end();
    return { problems, forwarded, shared, sent: this.proxy.log.map(({ id }) => id) };
  }

  /** Also cleans up after a test that failed early. */
  async stop(): Promise<void> {
    this.#victim.close();
    await this.proxy.stop();
  }

  /** Whether the log has the lines of a victim and of the attacker before it. */
  #isLogged(before: number, victim: string): boolean {
    const lines = this.proxy.log.slice(before);
    return lines.some((line) => line.victim === '-') && lines.some((line) => line.victim === victim);
  }

  /** Sends bytes, and waits for a final response or the end of the connection. */
  async #send(message: string): Promise<{ socket: Socket; received: () => string }> {
    let received = '';
    let isClosed = false;
    const socket = connect(this.proxy.port, '127.0.0.1', () => socket.write(message, 'latin1'));
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    socket.on('error', () => undefined).on('close', () => (isClosed = true));
    const isAnswered = () =>
      answersIn(received, message.startsWith('HEAD')).some(({ status }) => status >= 200);
    await eventually(() => Promise.resolve(isClosed || isAnswered()));
    return { socket, received: () => received };
  }

  /** Adds an animal as a victim. @returns what is wrong with the response */
  async #ask(victim: string): Promise<string | undefined> {
    const name = `Victim ${victim}`;
    const { status, text } = await this.#victim.post(
      '/v1/pets',
      { name, categoryId: 7 },
      { 'X-Victim': victim },
    );
    return status === 201 && text.includes(`"name":"${name}"`)
      ? undefined
      : `the victim has ${status} ${text}`;
  }
}

/** Requests that the service answered without a proxy having sent them, or answered twice. `log` is its output meanwhile. */
export function disagreements(log: string, sent: ReadonlySet<string>): string[] {
  const lines = [...log.matchAll(/^.*"requestId":"([^"]*)".*?"operation":"(\w+)".*$/gm)]
    .filter(([, , operation]) => operation !== 'readyz')
    .map(([line, id]) => ({ line, id: id! }));
  const ids = lines.map(({ id }) => id);
  return [
    ...lines.filter(({ id }) => !sent.has(id)).map(({ line }) => `no proxy has sent ${line}`),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `answered twice: ${id}`),
    ...(ids.length === 0 ? ['the service has no log'] : []),
  ];
}
