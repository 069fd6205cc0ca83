export { PetFilesModule } from './pet-files.module.js';
