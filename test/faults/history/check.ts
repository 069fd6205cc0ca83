import { checkAnimals } from './animals.js';
import { checkEvents } from './events.js';
import type { History, Violation } from './history.js';
import { checkKeys } from './keys.js';
import { checkPages } from './pages.js';
import { checkRates } from './rates.js';

/** Goes through a history. @returns what the service promises not to do, and did */
export function checkHistory(history: History): Violation[] {
  return [
    ...checkAnswers(history),
    ...checkAnimals(history),
    ...checkKeys(history),
    ...checkPages(history),
    ...checkEvents(history),
    ...checkRates(history),
  ];
}

/** Under every fault a client meets success, a refusal that it understands, or 503 with the time of its next try. */
function checkAnswers({ operations }: History): Violation[] {
  return operations
    .filter(({ isWrong }) => isWrong)
    .map(({ kind, client, answer }) => ({ rule: 'answer', text: `${kind} of ${client}: ${answer}` }));
}
