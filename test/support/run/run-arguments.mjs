/** Whether only the tests of changed files run (`--changed`), and no test file is given. */
export const isNarrowed = (args) =>
  args.includes('--changed') && !args.some((argument) => argument.startsWith('test/'));

/** The arguments for vitest. Files come before options: vitest parses the argument after `--changed` as a commit. */
export const vitestArguments = (args) => [
  'run',
  ...(isNarrowed(args) ? ['test/unit', 'test/interleavings', 'test/contract', 'test/architecture'] : []),
  ...args,
];
