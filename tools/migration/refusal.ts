/** The tool cannot do what it was asked to do. The message contains the reason and a remedy. */
export class Refusal extends Error {}
