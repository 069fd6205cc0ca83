export { StoreModule } from './store.module.js';
