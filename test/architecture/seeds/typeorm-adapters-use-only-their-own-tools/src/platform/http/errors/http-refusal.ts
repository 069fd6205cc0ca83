export class HttpRefusal extends Error {}
