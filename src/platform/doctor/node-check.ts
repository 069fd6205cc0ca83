import { Injectable } from '@nestjs/common';
import { Check, ok, problem } from './check.js';

/** See `engines` in package.json. */
const MINIMUM = [20, 19] as const;

/** Whether this Node.js is one that the service is tested with. */
@Injectable()
export class NodeCheck extends Check {
  readonly name = 'node';
  readonly needs = 'nothing';

  override async look(version = process.versions.node) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const good = major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
    const what = `Node.js is ${version}`;
    return [
      good ? ok(`${what}.`) : problem(`${what}, which is too old.`, `Install ${MINIMUM.join('.')} or newer.`),
    ];
  }
}
