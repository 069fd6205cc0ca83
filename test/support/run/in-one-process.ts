/**
 * Options of Vitest with which the files of a worker share its process and import a module only once. A file must leave nothing behind, so
 * both options belong together: timers that one file had replaced once failed the next file.
 */
export const IN_ONE_PROCESS = { isolate: false, setupFiles: ['test/support/run/restore.ts'] };
