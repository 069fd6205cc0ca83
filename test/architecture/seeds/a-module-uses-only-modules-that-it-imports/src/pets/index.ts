export { PetLocks } from './ports/pet-locks.js';
