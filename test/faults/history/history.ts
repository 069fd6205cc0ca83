/** What clients did to a service and what they saw of it. All times are in ms, on the one clock of the clients. */
export interface History {
  readonly operations: readonly Operation[];
  /** What was stored at the end, read past the service from a database that had caught up. */
  readonly pets: readonly StoredPet[];
  readonly orders: readonly StoredOrder[];
  /** When that was read. */
  readonly ended: number;
  /** What a subscriber heard of each animal, in its order; absent where nobody listened. */
  readonly heard?: ReadonlyMap<number, readonly PetStatus[]>;
  /** The uses of a key with a rate. */
  readonly uses: readonly Use[];
  readonly rate?: Rate | undefined;
}

export type PetStatus = 'available' | 'pending' | 'sold';
export type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled';

export interface StoredPet {
  readonly id: number;
  readonly name: string;
  readonly status: PetStatus;
}

export interface StoredOrder {
  readonly id: number;
  readonly petId: number;
  readonly status: OrderStatus;
}

/**
 * One request. `done`: acknowledged; `refused`: not done, for a reason that the state of things must bear out; `nothing`: not
 * done, for another reason; `unknown`: nobody told the client whether it was done.
 */
interface Request {
  readonly client: string;
  readonly sent: number;
  readonly ended: number;
  readonly outcome: 'done' | 'refused' | 'nothing' | 'unknown';
  /** The whole answer; what came in place of one. */
  readonly answer: string;
  /** Whether a client must never be answered so, such as with 500. */
  readonly isWrong?: boolean;
}

export interface Add extends Request {
  readonly kind: 'add';
  /** Each animal has a name of its own. */
  readonly name: string;
  readonly key?: string | undefined;
  readonly id?: number | undefined;
}

export interface Order extends Request {
  readonly kind: 'order';
  readonly petId: number;
  readonly key?: string | undefined;
  readonly id?: number | undefined;
}

export interface Move extends Request {
  readonly kind: 'move';
  readonly id: number;
  readonly petId: number;
  readonly to: OrderStatus;
}

export interface Get extends Request {
  readonly kind: 'get';
  readonly petId: number;
  /** Undefined if it was not found; of no meaning if it was not answered. */
  readonly seen?: PetStatus | undefined;
}

/** One page of a walk. `below` is the last id of the page before it. */
interface Page<Item> extends Request {
  readonly below: number;
  readonly items: readonly Item[];
  readonly isLast: boolean;
}

export interface PetPage extends Page<StoredPet> {
  readonly kind: 'pets';
  readonly status?: PetStatus | undefined;
}

export interface OrderPage extends Page<StoredOrder> {
  readonly kind: 'orders';
}

export type Operation = Add | Order | Move | Get | PetPage | OrderPage;

export interface Use {
  readonly sent: number;
  readonly ended: number;
  readonly isAdmitted: boolean;
}

export interface Rate {
  readonly limit: number;
  readonly seconds: number;
  /** How often a process began meanwhile, which counted by itself at first. */
  readonly restarts: number;
  /** What took so long, in ms, may have been counted by a replica by itself. */
  readonly patience: number;
}

/** What a rule found: something that the service promises not to do. */
export interface Violation {
  readonly rule: string;
  readonly text: string;
}
