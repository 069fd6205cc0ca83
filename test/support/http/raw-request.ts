import { connect } from 'node:net';

/** Sends bytes to the service unchanged. @returns all bytes received until one side closed or the response was complete */
export function rawRequest(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const pipelined = String(request).split(' HTTP/1.1\r\n').length > 2;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
      if (isWhole(answer) && !pipelined) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}

function isWhole(answer: string): boolean {
  const [head = '', body] = answer.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}
