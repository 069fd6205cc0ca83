const isFile = (argument) => /^(?:\.\/)?test\//.test(argument);
const namesFiles = (args) => args.some(isFile);
const selectsChanges = (args) => args.some((argument) => /^--changed(?:=|$)/.test(argument));

/** Whether only the tests of changed files run (`--changed`), and no test file is named. */
export const isNarrowed = (args) => selectsChanges(args) && !namesFiles(args);

/** Whether lint and types run too: for all tests and for the tests of changed files, but not for files that are named. */
export const checksCode = (args) => selectsChanges(args) || !namesFiles(args);

/** The arguments for vitest. Files come before options: vitest parses the argument after `--changed` as a commit. */
export const vitestArguments = (args) => [
  'run',
  ...(isNarrowed(args)
    ? ['test/unit', 'test/interleavings', 'test/contract', 'test/architecture', 'test/e2e']
    : []),
  ...args,
];
