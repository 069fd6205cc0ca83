export abstract class PetLocks {}
