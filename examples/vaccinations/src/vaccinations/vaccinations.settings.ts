import { moduleSettings, wholeNumber } from '../platform/config/index.js';

/** The settings of vaccinations. */
export class VaccinationSettings extends moduleSettings({
  reminderDays: [
    'VACCINATIONS_REMINDER_DAYS',
    wholeNumber(
      1,
      365,
    )({
      default: 14,
      desc: 'How many days before a vaccination is due its reminder is published, 1 to 365.',
    }),
  ],
}) {}
