export { PetAdded, PetStatusChanged } from './domain/pet-events.js';
export { PetsModule } from './pets.module.js';
export { PetReservations } from './ports/pet-reservations.js';
