import { checkAnimals } from './animals.js';
import { checkEvents } from './events.js';
import { checkForks } from './forks.js';
import type { History, Violation } from './history.js';
import { checkKeys } from './keys.js';
import { checkPages } from './pages.js';
import { checkRates } from './rates.js';

/** Checks a history against all rules. @returns the promises that the service broke */
export function checkHistory(history: History): Violation[] {
  return [
    ...checkAnswers(history),
    ...checkAnimals(history),
    ...checkKeys(history),
    ...checkPages(history),
    ...checkForks(history),
    ...checkEvents(history),
    ...checkRates(history),
  ];
}

/** Under every fault a client gets success, a documented rejection, or 503 with Retry-After. */
function checkAnswers({ operations }: History): Violation[] {
  return operations
    .filter(({ isWrong }) => isWrong)
    .map(({ kind, client, answer }) => ({ rule: 'answer', text: `${kind} of ${client}: ${answer}` }));
}
