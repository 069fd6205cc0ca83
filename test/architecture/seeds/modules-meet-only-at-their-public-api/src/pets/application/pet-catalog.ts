export class PetCatalog {}
