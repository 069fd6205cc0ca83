// A service that drops every tenth event.
import 'reflect-metadata';
import { OutboxRepository } from '../../../../dist/platform/events/outbox-repository.js';

const EVERY = 10;
let count = 0;
const { add } = OutboxRepository.prototype;

OutboxRepository.prototype.add = function (...message) {
  count += 1;
  return count % EVERY === 0 ? Promise.resolve() : add.apply(this, message);
};
