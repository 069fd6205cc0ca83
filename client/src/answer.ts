/** An answer that has come as a whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address that was asked. */
  readonly url: URL;
}
