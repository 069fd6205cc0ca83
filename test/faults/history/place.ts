import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlRow } from '../../support/databases/database-server.js';
import { size } from '../support/size.js';
import type { Chance } from './chance.js';

/** A fault. When `happen` resolves, the system can work again. */
export interface Fault {
  readonly name: string;
  happen(): Promise<void>;
}

/** The database of the replicas, and the faults that can happen to it. */
export interface Place {
  /** The URL of the database for a replica, by its number. */
  url(replica: number): string;
  /** Whether others can query the database while replicas run. A SQLite file belongs to one service. */
  readonly isShared: boolean;
  /** Sees everything acknowledged before the call. @returns the rows of the last statement */
  query(...statements: string[]): Promise<SqlRow[]>;
  /** Each kind of fault once, in the order of the short run. */
  readonly faults: readonly Fault[];
  /** The number of distinct node states beyond the first; 0 if all nodes agree. */
  differing(): Promise<number>;
  stop(): Promise<void>;
}

/** A server or replica that can be killed, frozen and thawed. */
interface Mortal {
  kill(): Promise<unknown>;
  freeze(): void;
  thaw(): void;
}

/** In ms: something is frozen or cut off for at most this long; in the long run longer than any timeout of the service. */
const LONGEST = size(2_500, 7_000);

/** Kills a randomly chosen victim and restarts it. */
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

/** Begins a fault, and ends it after a while: `begin` returns what does so. */
export const passing = (name: string, chance: Chance, begin: () => () => void): Fault => ({
  name,
  async happen() {
    const end = begin();
    await sleep(500 + chance.below(LONGEST - 500));
    end();
  },
});

export const frozen = (what: string, victims: readonly Mortal[], chance: Chance): Fault =>
  passing(`${what} frozen`, chance, () => {
    const victim = chance.pick(victims)!;
    victim.freeze();
    return () => victim.thaw();
  });
