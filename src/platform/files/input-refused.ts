/** What a file holds cannot be used, or not all of it. The message says why, and in which line if there is one. */
export class InputRefused extends Error {
  readonly code = 'input_refused';
}
