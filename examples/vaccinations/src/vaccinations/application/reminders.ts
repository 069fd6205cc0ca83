import type { Clock, Events, UnitOfWork } from '../../kernel/index.js';
import { VaccinationDue } from '../domain/vaccination-events.js';
import type { VaccinationRepository } from '../ports/vaccination-repository.js';

const DAY_MS = 86_400_000;

/** Publishes an event for each vaccination that is due soon. */
export class Reminders {
  constructor(
    private readonly repository: VaccinationRepository,
    private readonly events: Events,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    /** How many days before the due date a reminder is sent. */
    private readonly days: number,
  ) {}

  /**
   * Reminds of some vaccinations, and of each only once, because mark and event are one unit of work. @returns whether there may
   * be more
   */
  remindSome(limit: number): Promise<boolean> {
    return this.units.run(async () => {
      const now = this.clock.now();
      const due = await this.repository.lockDue(new Date(now + this.days * DAY_MS), limit);
      for (const { id, petId, vaccine, dueAt } of due) {
        await this.events.record(VaccinationDue, async () => {
          await this.repository.change(id, (found) => found.remind(new Date(now)));
          return { id, petId, vaccine, dueAt };
        });
      }
      return due.length === limit;
    });
  }
}
