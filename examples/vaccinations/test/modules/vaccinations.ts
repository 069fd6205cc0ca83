import type { ModuleFacts } from '../support/module-facts.js';
import { aVaccinationBody } from '../support/vaccination-builder.js';

export default {
  async provoke({ send }) {
    await send('POST', '/vaccinations', aVaccinationBody({ petId: 404_404 }));
  },
  rules: {
    createVaccination: ({ givenAt, dueAt }) =>
      dueAt === undefined || Date.parse(String(givenAt)) < Date.parse(String(dueAt)),
  },
  judgedByState: ['updateVaccination'],
} satisfies ModuleFacts;
