/**
 * Variables that earlier versions read, and what takes the place of each. To ignore one would undo what its operator has arranged,
 * without a word.
 */
const REMOVED: Readonly<Record<string, string>> = {
  WORKERS:
    'no longer exists; start a process for each core, which share a port with REUSE_PORT=true, or have a PORT each behind a proxy',
};

/** A line for each variable of the environment that earlier versions read; begins with its name. */
export function removedSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => environment[name] !== undefined)
    .map(([name, replacement]) => `${name}: ${replacement}`);
}
