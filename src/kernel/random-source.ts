/** Where unpredictable bytes come from; tests bring their own. */
export abstract class RandomSource {
  /** `count` unpredictable bytes. */
  abstract bytes(count: number): Uint8Array;
}
