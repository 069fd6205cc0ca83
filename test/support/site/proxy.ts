import { resolve } from 'node:path';
import { programPath } from '../processes/local-program.js';
import { Program } from '../program.js';

export const PROXY_CONFIGURATION = resolve(import.meta.dirname, '../../../deploy/compose/haproxy.cfg');

/** Only root can become another user. */
const USER: Readonly<Record<string, string>> = process.getuid?.() === 0 ? {} : { KEEP_USER: '1' };

/** Starts HAProxy, which must be installed, with the addresses and limits that the configuration reads from its environment. */
export const startProxy = (
  environment: Readonly<Record<string, string>>,
  configuration = PROXY_CONFIGURATION,
): Program => Program.run(programPath('haproxy')!, ['-db', '-f', configuration], { ...USER, ...environment });
