import { PetCatalog } from '../pets/application/pet-catalog.js';

export const catalog = new PetCatalog();
