import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlRow } from '../../support/databases/mariadb-server.js';
import { size } from '../support/size.js';
import type { Chance } from './chance.js';

/** Something that goes wrong, and is well again when it returns. */
export interface Fault {
  readonly name: string;
  happen(): Promise<void>;
}

/** Where replicas keep their data, and what can happen to that. */
export interface Place {
  /** The URL of the database for a replica, by its number. */
  url(replica: number): string;
  /** Sees all that was acknowledged before it was asked. @returns the rows of the last statement */
  query(...statements: string[]): Promise<SqlRow[]>;
  /** Each kind once, in the order of the short run. */
  readonly faults: readonly Fault[];
  /** What differs between its parts, which should be the same. */
  differing(): Promise<number>;
  stop(): Promise<void>;
}

/** Whatever can be killed, frozen and brought back. */
interface Mortal {
  kill(): Promise<unknown>;
  freeze(): void;
  thaw(): void;
}

/** In ms: up to so long something is frozen or cut off; in the long run longer than the service waits for anything. */
const LONGEST = size(2_500, 7_000);

const shortOrLong = (chance: Chance) => 500 + chance.below(LONGEST - 500);

/** Now one of them, now another is killed and brought back. */
export const killed = <Victim extends Mortal>(
  what: string,
  victims: readonly Victim[],
  chance: Chance,
  bringBack: (victim: Victim) => Promise<unknown>,
): Fault => ({
  name: `${what} killed`,
  async happen() {
    const victim = chance.pick(victims)!;
    await victim.kill();
    await sleep(chance.below(1_000));
    await bringBack(victim);
  },
});

export const frozen = (what: string, victims: readonly Mortal[], chance: Chance): Fault => ({
  name: `${what} frozen`,
  async happen() {
    const victim = chance.pick(victims)!;
    victim.freeze();
    await sleep(shortOrLong(chance));
    victim.thaw();
  },
});

/** Something is done, and undone after a while. */
export const passing = (name: string, chance: Chance, begin: () => void, end: () => void): Fault => ({
  name,
  async happen() {
    begin();
    await sleep(shortOrLong(chance));
    end();
  },
});
