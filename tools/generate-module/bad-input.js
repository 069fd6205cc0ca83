/** The arguments do not describe a module that can be generated. The message is a sentence for the user. */
export class BadInput extends Error {}
