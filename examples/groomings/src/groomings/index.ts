export { GroomingOffered } from './domain/grooming-events.js';
export { GroomingsModule } from './groomings.module.js';
