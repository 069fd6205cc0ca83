// A service that drops every tenth event.
import 'reflect-metadata';
import { OutboxRepository } from '../../../../dist/platform/events/outbox-repository.js';

const EVERY = 10;
let count = 0;
const { addAll } = OutboxRepository.prototype;

OutboxRepository.prototype.addAll = function (messages, ...others) {
  const kept = messages.filter(() => ++count % EVERY !== 0);
  return addAll.call(this, kept, ...others);
};
