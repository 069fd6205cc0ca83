import { StoreModule } from './store/store.module.js';

export const imports = [StoreModule];
