// The built service plus a module that sends each new pet to another system. Started by test/faults/outbound-events.test.ts.
import { Events } from '../../../dist/kernel/events.js';
import { PetAdded } from '../../../dist/pets/index.js';
import { startWith } from './start-with.mjs';

class SenderModule {}

function send(events) {
  events.subscribeOutbound(PetAdded, 'receiver', async (pet, { id, attempt, signal }) => {
    const body = JSON.stringify({ id: `${id}`, attempt, petId: Number(pet.id), event: 'added' });
    const { status } = await fetch(process.env.RECEIVER_URL, { method: 'POST', body, signal });
    if (status !== 204) throw new Error(`the receiver responded with ${status}`);
  });
  return events;
}

const sender = { provide: 'sender', useFactory: send, inject: [Events] };
await startWith({ module: SenderModule, providers: [sender] });
