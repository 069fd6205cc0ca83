import type { Reply } from './caller.js';

/** What is kept of a response or of a failure, of which a long run has millions. */
export interface Outcome {
  /** The status, or the code of the error. */
  readonly what: string;
  /** In ms. It is 0 for a failure. */
  readonly took: number;
  /** Absent if clients may see it. */
  readonly surprise?: string;
}

export function outcomeOfReply({ status, headers, text, took }: Reply): Outcome {
  const foreseen =
    (status >= 200 && status < 300) || (status === 503 && headers['retry-after'] !== undefined);
  return { what: String(status), took, ...(!foreseen && { surprise: `${status} ${text.slice(0, 200)}` }) };
}

export function outcomeOfFailure(error: unknown): Outcome {
  const { code, message } = error as NodeJS.ErrnoException;
  const what = code ?? message;
  return { what, took: 0, surprise: what };
}

/** Counts responses by status, and records their latencies. */
export class Tally {
  readonly #times = new Map<string, number[]>();
  /** What no client should ever see: anything except 2xx, and 503 with Retry-After. */
  readonly surprises: string[] = [];

  add({ what, took, surprise }: Outcome): void {
    const times = this.#times.get(what);
    if (times) times.push(took);
    else this.#times.set(what, [took]);
    if (surprise !== undefined) this.surprises.push(surprise);
  }

  /** Counts the outcome of a request. @returns the response, if there is one */
  async of(answer: Promise<Reply>): Promise<Reply | undefined> {
    try {
      const reply = await answer;
      this.add(outcomeOfReply(reply));
      return reply;
    } catch (error) {
      this.add(outcomeOfFailure(error));
      return undefined;
    }
  }

  count(status: number): number {
    return this.#times.get(String(status))?.length ?? 0;
  }

  get total(): number {
    return [...this.#times.values()].reduce((sum, times) => sum + times.length, 0);
  }

  /** In ms: the latency that the given share of the responses with a status do not exceed: 0.99 of them, or 1 for all. */
  took(status: number, share: number): number {
    const times = (this.#times.get(String(status)) ?? []).toSorted((a, b) => a - b);
    return Math.round(times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? 0);
  }

  /** Such as `201 x 523, 503 x 12`. */
  toString(): string {
    const entries = [...this.#times].toSorted(([a], [b]) => a.localeCompare(b));
    return entries.map(([status, times]) => `${status} x ${times.length}`).join(', ') || 'nothing';
  }
}
