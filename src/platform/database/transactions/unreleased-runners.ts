import { Logger } from '@nestjs/common';

const TOO_LONG_MS = 60_000;
const LOOK_EVERY_MS = 10_000;
/** How many callers are kept: a module's own, below those of a helper or of TypeORM. */
const MAX_FRAMES = 6;
const OF_FRAMEWORKS = /node_modules.(?:typeorm|@nestjs)\b|\(node:/;

interface Runner {
  readonly holdsConnection: boolean;
}

interface Creation {
  readonly at: number;
  /** Formatted by V8 only when it is read. */
  readonly stack?: string;
}

/** Query runners outside of units of work that were not released. Whoever forgets one keeps its connection from everybody. */
export class UnreleasedRunners {
  readonly #log = new Logger('Database');
  readonly #created = new Map<Runner, Creation>();
  readonly #late = new Set<Runner>();
  #timer: NodeJS.Timeout | undefined;

  /** Names those that hold a connection for too long in the log, each once. */
  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The stack begins below the function `creator`. */
  add<Created extends Runner>(runner: Created, creator: (...given: never[]) => unknown): Created {
    const creation: Creation = { at: performance.now() };
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = MAX_FRAMES;
    Error.captureStackTrace(creation, creator);
    Error.stackTraceLimit = stackTraceLimit;
    this.#created.set(runner, creation);
    return runner;
  }

  delete(runner: Runner): void {
    this.#created.delete(runner);
    this.#late.delete(runner);
  }

  /** How many have held a connection for too long. */
  get count(): number {
    return this.#late.size;
  }

  #look(): void {
    for (const [runner, { at, stack = '' }] of this.#created) {
      if (performance.now() - at <= TOO_LONG_MS || this.#late.has(runner)) continue;
      if (!runner.holdsConnection) {
        // Nobody waits for it.
        this.#created.delete(runner);
        continue;
      }
      this.#late.add(runner);
      const [, ...frames] = stack.split('\n');
      const place = frames.find((frame) => !OF_FRAMEWORKS.test(frame)) ?? frames[0];
      this.#log.warn(
        `A query runner has held a connection for ${TOO_LONG_MS / 1_000} s: release it in a finally. It was created ${place?.trim()}.`,
      );
    }
  }
}
