import cluster, { type Worker } from 'node:cluster';
import { Logger } from '@nestjs/common';

/** The signals that end the service in order. SIGHUP comes when its terminal is closed; Node ignores what `nohup` asks for. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the service in several processes that share its port, and replaces a process that dies. A process that dies before it
 * listens, or reports that it cannot start, would fail again: then all are stopped.
 */
export function runWorkers(count: number): void {
  const log = new Logger('Workers');
  const listening = new Set<Worker>();
  let exitCode: number | undefined;

  const stop = (signal: NodeJS.Signals, code: number) => {
    exitCode ??= code;
    // A dead worker may still be listed when the last one ends; then this process ends by itself.
    process.exitCode = exitCode;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop(signal, 0));

  cluster.on('listening', (worker) => listening.add(worker));
  cluster.on('message', (_, { startProblem }: StartMessage) => {
    // All workers report the same problem; it is printed once.
    if (startProblem === undefined || exitCode !== undefined) return;
    process.stderr.write(`${startProblem}\n`);
    stop('SIGTERM', 1);
  });
  cluster.on('exit', (worker, code, signal) => {
    const how = `Process ${worker.process.pid} ended (${signal ?? code})`;
    if (exitCode === undefined && !listening.delete(worker)) {
      log.fatal(`${how} before it listened`);
      stop('SIGTERM', 1);
    } else if (exitCode === undefined) {
      log.error(`${how}; another takes its place`);
      cluster.fork();
    }
    if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(exitCode ?? 1);
  });
  for (let i = 0; i < count; i++) cluster.fork();
}

/** A worker's report that it cannot start; other messages have no such field. */
interface StartMessage {
  readonly startProblem?: string;
}

/** In a worker: makes the supervisor print why the service cannot start, and end. @returns false if there is no supervisor */
export function tellSupervisor(startProblem: string): boolean {
  return cluster.worker?.send({ startProblem }) ?? false;
}

/** Whether this process only supervises `count` others. */
export const isSupervisor = (count: number): boolean => count > 1 && cluster.isPrimary;

/** Whether this process is the only one, or the first of several. */
export const isFirstProcess = (): boolean => cluster.worker === undefined || cluster.worker.id === 1;
