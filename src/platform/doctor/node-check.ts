import { Check, ok, problem } from './check.js';

/** See `engines` in package.json. */
const OLDEST = [20, 19] as const;

/** Whether this Node.js is one that the service is tested with. */
export class NodeCheck extends Check {
  readonly name = 'node';
  readonly needs = 'nothing';

  constructor(private readonly version = process.versions.node) {
    super();
  }

  override async look() {
    const [major = 0, minor = 0] = this.version.split('.').map(Number);
    const good = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
    const what = `Node.js is ${this.version}`;
    return [
      good ? ok(`${what}.`) : problem(`${what}, which is too old.`, `Install ${OLDEST.join('.')} or newer.`),
    ];
  }
}
