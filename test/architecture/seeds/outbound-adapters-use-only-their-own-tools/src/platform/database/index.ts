export class DuplicateKey extends Error {}
