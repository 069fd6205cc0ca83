/** Where unpredictable bytes come from; tests bring their own. */
export abstract class RandomSource {
  /** `count` bytes that nobody can foretell. */
  abstract bytes(count: number): Uint8Array;
}
