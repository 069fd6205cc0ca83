/** What the command was given cannot be generated. The message is a sentence for whoever wrote it. */
export class BadInput extends Error {}
