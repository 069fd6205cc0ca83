/** A source of unpredictable bytes, which tests replace. */
export abstract class RandomSource {
  /** `count` unpredictable bytes. */
  abstract bytes(count: number): Uint8Array;
}
