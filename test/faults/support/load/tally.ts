import type { Reply } from './caller.js';

/** Counts answers by their status, and keeps how long they took. */
export class Tally {
  readonly #times = new Map<string, number[]>();
  /** What no client should ever see: anything but 2xx, or 503 with the time of the next try. */
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

  /** Counts what becomes of a request. @returns the answer, if there is one */
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

  /** How long, in ms, the given share of all answers with a status took at most: 0.99 of them, or 1 for all. */
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
