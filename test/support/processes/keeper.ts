import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/**
 * Ensures that nothing outlives the tests, however they end: Ctrl-C, a crash, SIGKILL. A separate process holds the other end
 * of a pipe; when the pipe closes, it kills the remaining processes and removes the remaining folders.
 */
let keeper: ChildProcess | undefined;

function tell(line: string): void {
  if (!keeper) {
    // Resolved from the working directory, the root: a compiled benchmark is in another folder.
    const script = resolve('test/support/processes/keeper.mjs');
    // Its own session: Ctrl-C in the terminal must not reach it.
    keeper = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    keeper.unref();
    (keeper.stdin as unknown as { unref(): void }).unref();
    keeper.stdin!.on('error', () => undefined);
    // If the run is killed, its workers would otherwise go on, and keep the processes that they started.
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
  keeper.stdin!.write(`${line}\n`);
}

/** From now on the process is killed when the tests end, frozen or not. */
export function keepProcess(pid: number, gone: Promise<unknown>): void {
  tell(`+process ${pid}`);
  // Another process may soon reuse its pid.
  void gone.then(() => tell(`-process ${pid}`));
}

/** From now on the folder is removed when the tests end. */
export const keepFolder = (folder: string): void => tell(`+folder ${folder}`);
export const forgetFolder = (folder: string): void => tell(`-folder ${folder}`);
