/** What clients sent to a service and what they saw of it. All times are in ms, on the one clock that the clients share. */
export interface History {
  readonly operations: readonly Operation[];
  /** What was stored at the end, read directly from a database that had caught up. */
  readonly pets: readonly StoredPet[];
  readonly orders: readonly StoredOrder[];
  /** When that was read. */
  readonly ended: number;
  /** The events that a subscriber received for each pet, in order; absent if there was no subscriber. */
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
 * One request. `done`: acknowledged; `refused`: rejected, for a reason that the state at that time must confirm; `nothing`: not
 * done, for another reason; `unknown`: the client does not know whether it was done.
 */
interface Request {
  readonly client: string;
  readonly sent: number;
  readonly ended: number;
  readonly outcome: 'done' | 'refused' | 'nothing' | 'unknown';
  /** The whole response, or the error instead of one. */
  readonly answer: string;
  /** Whether a client must never get such a response, for example 500. */
  readonly isWrong?: boolean;
}

export interface Add extends Request {
  readonly kind: 'add';
  /** Unique for each pet. */
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
  /** Undefined if it was not found; meaningless unless the outcome is `done`. */
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

interface Rate {
  readonly limit: number;
  readonly seconds: number;
  /** Number of process restarts during the run; a restarted process counts on its own at first. */
  readonly restarts: number;
  /** How many times a process began to count on its own during the run, because Redis was late for it. */
  readonly lapses: number;
  /** In ms: a use that took this long may have been counted by one replica on its own. */
  readonly patience: number;
}

/** What a rule found: a promise that the service broke. */
export interface Violation {
  readonly rule: string;
  readonly text: string;
}
