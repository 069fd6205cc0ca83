import { expect, it } from 'vitest';
import { checksCode, vitestArguments } from '../../support/run/run-arguments.mjs';

const OF_CHANGES = ['test/unit', 'test/interleavings', 'test/contract', 'test/architecture', 'test/e2e'];

it.each<[args: string[], checked: boolean, given: string[]]>([
  [[], true, []],
  [['--bail', '1'], true, ['--bail', '1']],
  [['--changed'], true, [...OF_CHANGES, '--changed']],
  [['--changed', 'main'], true, [...OF_CHANGES, '--changed', 'main']],
  [['--changed=main'], true, [...OF_CHANGES, '--changed=main']],
  [['test/e2e', '--changed'], true, ['test/e2e', '--changed']],
  [['test/unit/store'], false, ['test/unit/store']],
  [['./test/unit/store', '-t', 'orders'], false, ['./test/unit/store', '-t', 'orders']],
])('npm test -- %j checks lint and types: %s; vitest gets %j', (args, checked, given) => {
  expect([checksCode(args), vitestArguments(args)]).toEqual([checked, ['run', ...given]]);
});
