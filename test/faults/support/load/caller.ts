import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** The key that every replica of these tests accepts. */
export const SECRET = 'bootstrap-key-for-the-tests-of-faults';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** In ms. */
  readonly took: number;
}

interface Sent {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** In ms: longer than any deadline of the service, so a request that waits this long has been forgotten. */
const FORGOTTEN = 30_000;

/** In ms. The service closes connections after 5 s idle; a request sent at that moment would fail without a real fault. */
const IDLE = 2_000;

/** A client that sends each request once, over keep-alive connections, and adds little overhead to what it measures. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE });

  constructor(readonly origin: string) {}

  get(target: string): Promise<Reply> {
    return this.send('GET', target);
  }

  post(target: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send('POST', target, { body: JSON.stringify(body), headers });
  }

  /** Rejects if there is no complete response. */
  send(method: string, target: string, { body, headers }: Sent = {}): Promise<Reply> {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(this.origin + target, {
        method,
        agent: this.#agent,
        headers: {
          Authorization: `Bearer ${SECRET}`,
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
          ...headers,
        },
      });
      sent.setTimeout(FORGOTTEN, () => sent.destroy(new Error('forgotten')));
      sent.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            took: performance.now() - begun,
          }),
        );
      });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
