export { PetsModule } from '../pets/index.js';
