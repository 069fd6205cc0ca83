import { expect, it } from 'vitest';
import { listening } from '../../../../../src/platform/config/listening.js';
import { startProblem } from '../../../../../src/platform/ops/process/start-problem.js';

const failure = (properties: object, message: string) => Object.assign(new Error(message), properties);
const listen = (error: Error) =>
  listening(Promise.reject(error), { host: 'pets.example', port: 80 }).catch(startProblem);

it.each([
  ['EADDRINUSE', 'pets.example:80 is in use. Stop the program that uses it, or set PORT.'],
  ['ENOTFOUND', 'pets.example is no address of this machine. Set HOST to one that is.'],
  [
    'EAI_AGAIN',
    'pets.example:80 cannot be listened on: listen EAI_AGAIN. See to that, or set HOST and PORT.',
  ],
])(
  'an address that cannot be used is named in one sentence, with the error code of the system: %s',
  async (code, line) => {
    expect(await listen(failure({ code }, `listen ${code}`))).toBe(line);
  },
);

it('other errors of the system keep their message, and faults of the service get no sentence', () => {
  const refused = failure({ code: 'EMFILE', syscall: 'open' }, "EMFILE: too many open files, open 'x'");
  expect(startProblem(refused)).toBe(
    "The operating system rejects what the service needs: EMFILE: too many open files, open 'x'. Raise the limit (ulimit -n, LimitNOFILE).",
  );
  expect(startProblem(new TypeError('x is not a function'))).toBeUndefined();
});
