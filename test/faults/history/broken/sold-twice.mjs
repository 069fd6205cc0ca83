// A service that accepts any number of orders for one animal.
import { PetCatalog } from '../../../../dist/pets/application/pet-catalog.js';

PetCatalog.prototype.reserve = () => Promise.resolve();
