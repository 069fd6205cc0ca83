import { PetsModule } from '../../pets/index.js';

export const watched = [PetsModule];
