/** The tool cannot do what it was asked. The message says why, and what to do. */
export class Refusal extends Error {}
