export {
  VaccinationAdded,
  VaccinationChanged,
  VaccinationDeleted,
  VaccinationDue,
} from './domain/vaccination-events.js';
export { VaccinationsModule } from './vaccinations.module.js';
