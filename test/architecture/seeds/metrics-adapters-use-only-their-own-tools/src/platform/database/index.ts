export class Leases {}
