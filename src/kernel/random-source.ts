/** A source of unpredictable bytes; replaced in tests. */
export abstract class RandomSource {
  /** `count` unpredictable bytes. */
  abstract bytes(count: number): Uint8Array;
}
