import { Injectable, Module } from '@nestjs/common';
import { url } from 'envalid';
import { type Delivery, Events, type Int64 } from '../../../src/kernel/index.js';
import { PetAdded, PetStatusChanged } from '../../../src/pets/index.js';
import { moduleSettings, SettingsModule } from '../../../src/platform/config/index.js';

// A module that tells another system what happens to pets. Each class belongs to a file of its own.

class PetNoticeSettings extends moduleSettings({
  url: [
    'PET_NOTICES_URL',
    url({ desc: 'Where notices about pets are sent.', example: 'https://example.com/' }),
  ],
}) {}

/** Tells another system what has happened to a pet. In `ports`. */
abstract class PetNotices {
  abstract send(petId: Int64, event: string, delivery: Delivery): Promise<void>;
}

/** Sends notices by HTTP. In `adapters/outbound`. */
@Injectable()
class HttpPetNotices extends PetNotices {
  constructor(private readonly settings: PetNoticeSettings) {
    super();
  }

  override async send(petId: Int64, event: string, { id, attempt, signal }: Delivery): Promise<void> {
    const response = await fetch(this.settings.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `${id}` },
      body: JSON.stringify({ id: `${id}`, attempt, petId: Number(petId), event }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the receiver responded with ${response.status}`);
  }
}

@Module({
  imports: [SettingsModule.forFeature(PetNoticeSettings)],
  providers: [{ provide: PetNotices, useClass: HttpPetNotices }],
})
export class PetNoticesModule {
  constructor(events: Events, notices: PetNotices) {
    const few = { tries: 3 };
    events.subscribeOutbound(PetAdded, 'notices', ({ id }, one) => notices.send(id, 'added', one), few);
    events.subscribeOutbound(
      PetStatusChanged,
      'notices',
      ({ id, to }, one) => notices.send(id, to, one),
      few,
    );
  }
}
