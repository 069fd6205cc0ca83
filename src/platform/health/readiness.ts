/** Whether the service is to be sent requests: after its start, and until it is told to stop. */
export class Readiness {
  #state: 'starting' | 'ready' | 'stopping' = 'starting';

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get isStopping(): boolean {
    return this.#state === 'stopping';
  }

  /** The start is over; for one that is told to stop meanwhile this comes too late. */
  declare(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  withdraw(): void {
    this.#state = 'stopping';
  }
}
