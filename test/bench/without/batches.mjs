/** Each item goes at once, by itself. */
export class Batch {
  constructor(run) {
    this.run = run;
  }

  async add(item) {
    const [outcome] = await this.run([item]);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}
