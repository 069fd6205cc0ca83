import type { Reply } from './caller.js';

/** Counts responses by status, and records their latencies. */
export class Tally {
  readonly #times = new Map<string, number[]>();
  /** What no client should ever see: anything except 2xx, and 503 with Retry-After. */
  readonly surprises: string[] = [];

  reply({ status, headers, text, took }: Reply): void {
    this.#add(String(status), took);
    const foreseen =
      (status >= 200 && status < 300) || (status === 503 && headers['retry-after'] !== undefined);
    if (!foreseen) this.surprises.push(`${status} ${text.slice(0, 200)}`);
  }

  failure(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.#add(code ?? message, 0);
    this.surprises.push(code ?? message);
  }

  /** Counts the outcome of a request. @returns the response, if there is one */
  async of(answer: Promise<Reply>): Promise<Reply | undefined> {
    try {
      const reply = await answer;
      this.reply(reply);
      return reply;
    } catch (error) {
      this.failure(error);
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

  #add(status: string, took: number): void {
    const times = this.#times.get(status);
    if (times) times.push(took);
    else this.#times.set(status, [took]);
  }
}
