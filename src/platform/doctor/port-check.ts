import { connect } from 'node:net';
import { once } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Check, ok, problem } from './check.js';

/** Whether the port of the service is free, or is used by a running service. */
@Injectable()
export class PortCheck extends Check {
  readonly name = 'port';
  readonly needs = 'nothing';

  constructor(private readonly settings: Settings) {
    super();
  }

  override async run() {
    const { host, port } = this.settings;
    const at = `${host}:${port}`;
    if (port === 0 || !(await isTaken(host, port))) return [ok(`${at} is free.`)];
    if (await isService(host, port)) return [ok(`A service answers at ${at}.`)];
    return [problem(`${at} is in use by something else.`, 'Stop it, or set PORT.')];
  }
}

async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

async function isService(host: string, port: number): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(1_000) }).catch(
    () => undefined,
  );
  return (
    ((await answer?.json().catch(() => undefined)) as { status?: unknown } | undefined)?.status === 'alive'
  );
}
