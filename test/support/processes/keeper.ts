import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/**
 * Sees to it that nothing outlives the tests, however they end: Ctrl-C, a crash, SIGKILL. A process of its own holds the
 * other end of a pipe, and when that closes it kills what was left running and removes what was left lying.
 */
let keeper: ChildProcess | undefined;

function tell(line: string): void {
  if (!keeper) {
    // From the root, because a benchmark runs from a folder of its own.
    const script = resolve('test/support/processes/keeper.mjs');
    // A session of its own: the Ctrl-C of a terminal must not reach it.
    keeper = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    keeper.unref();
    (keeper.stdin as unknown as { unref(): void }).unref();
    keeper.stdin!.on('error', () => undefined);
    // Where the run is killed its workers would go on, and keep what they have started.
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  }
  keeper.stdin!.write(`${line}\n`);
}

/** From now on the process dies with the tests, frozen or not. */
export function keepProcess(pid: number, gone: Promise<unknown>): void {
  tell(`+process ${pid}`);
  // Its number may soon be somebody else's.
  void gone.then(() => tell(`-process ${pid}`));
}

/** From now on the folder is gone when the tests are over. */
export const keepFolder = (folder: string): void => tell(`+folder ${folder}`);
export const forgetFolder = (folder: string): void => tell(`-folder ${folder}`);
