/** Whether only what has changed is tested, and nobody has said which files. */
export const isNarrowed = (args) =>
  args.includes('--changed') && !args.some((argument) => argument.startsWith('test/'));

/** What vitest is told. Files come before options: it takes what follows `--changed` for a commit. */
export const vitestArguments = (args) => [
  'run',
  ...(isNarrowed(args) ? ['test/unit', 'test/contract', 'test/architecture'] : []),
  ...args,
];
