export { PetNotAvailable } from './domain/pet-errors.js';
export { PetAdded, PetStatusChanged } from './domain/pet-events.js';
export { PetsModule } from './pets.module.js';
export { PetLocks } from './ports/pet-locks.js';
export { PetReservations } from './ports/pet-reservations.js';
