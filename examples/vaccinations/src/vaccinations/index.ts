export { VaccinationAdded, VaccinationChanged, VaccinationDeleted } from './domain/vaccination-events.js';
export { VaccinationsModule } from './vaccinations.module.js';
