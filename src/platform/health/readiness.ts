/** Whether the start of the service is over. */
export class Readiness {
  #ready = false;

  get isReady(): boolean {
    return this.#ready;
  }

  declare(): void {
    this.#ready = true;
  }
}
