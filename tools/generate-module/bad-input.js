/** The module cannot be generated from these arguments. The message is a sentence for the user. */
export class BadInput extends Error {}
