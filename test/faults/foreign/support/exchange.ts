import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: string;
}

/** The responses on a connection, and whether it was still usable afterwards. */
export interface Exchange {
  readonly answers: readonly Answer[];
  readonly isOpen: boolean;
  /** Such as `100 201 open`: the statuses, and the state of the connection. */
  readonly summary: string;
}

const PROBE_ID = 'asked-afterwards';
/** Tests whether the service still knows where a request begins. */
const PROBE = `GET /livez HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${PROBE_ID}\r\nConnection: close\r\n\r\n`;

/**
 * Sends bytes (a Latin-1 string) as they are; after `finals` final responses sends the probe on the same connection, and waits
 * until it is closed. With `halfClose` the client closes its sending side after the message, and sends no probe.
 */
export function exchange(
  port: number,
  message: string,
  { finals = 1, halfClose = false, probe = PROBE } = {},
): Promise<Exchange> {
  const isHead = message.replace(/^[\r\n]*/, '').startsWith('HEAD');
  return new Promise((resolve) => {
    let received = '';
    let hasAsked = halfClose;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfClose });
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (hasAsked || answersIn(received, isHead).filter(({ status }) => status >= 200).length < finals)
        return;
      hasAsked = true;
      socket.write(probe, 'latin1');
    });
    // The service may also reset the connection, which counts as closed.
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(exchangeOf(answersIn(received, isHead))));
    socket.on('connect', () => {
      socket.write(message, 'latin1');
      if (halfClose) socket.end();
    });
  });
}

function exchangeOf(all: Answer[]): Exchange {
  const isOpen = all.at(-1)?.head.includes(PROBE_ID) === true;
  const answers = isOpen ? all.slice(0, -1) : all;
  const summary = [...answers.map(({ status }) => status), isOpen ? 'open' : 'closed'].join(' ');
  return { answers, isOpen, summary };
}

/** The complete responses in the received text. The first one has no body if it answers HEAD. */
export function answersIn(text: string, isHead = false): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !(isHead && answers.length === 0);
    const length = hasBody ? Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) : 0;
    if (rest.length < end + length) break;
    answers.push({ status, head, body: rest.slice(end, end + length) });
    rest = rest.slice(end + length);
  }
  return answers;
}
