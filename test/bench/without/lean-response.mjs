import { ServerResponse } from 'node:http';

/** Uses Node's own header storage. */
export class LeanResponse extends ServerResponse {
  set fixedHeaderLines(lines) {
    for (const [, name, value] of lines.matchAll(/(.+?): (.+)\r\n/g)) this.setHeader(name, value);
  }

  end(...args) {
    this.observer?.answered(this);
    return super.end(...args);
  }
}
