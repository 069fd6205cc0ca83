import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { Body, Controller, Delete, Get, Injectable, Module, Post, Query } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema, Repository } from 'typeorm';
import {
  Clock,
  type Delivery,
  DomainError,
  Events,
  EventType,
  type Int64,
  InvalidInput,
  type Page,
  type Problem,
  RandomSource,
  type Selection,
} from '../../../src/kernel/index.js';
import { PetsModule, PetStatusChanged } from '../../../src/pets/index.js';
import { bool, moduleSettings, SettingsModule, wholeNumber } from '../../../src/platform/config/index.js';
import {
  columns,
  insertOnce,
  keysetPage,
  Migrations,
  Sequences,
} from '../../../src/platform/database/index.js';
import {
  Id,
  IdField,
  ListOperation,
  Operation,
  Paged,
  PageQuery,
  type Paging,
  TextField,
} from '../../../src/platform/http/index.js';
import { CreateTable } from '../create-table.js';

// Webhooks by Standard Webhooks 1.0.0: a client registers receivers, and each receiver is told about each pet that is sold. Each class
// belongs to a file of its own.

class WebhookSettings extends moduleSettings({
  allowsInternal: [
    'WEBHOOKS_ALLOW_INTERNAL',
    bool({
      default: false,
      desc: 'Whether webhooks may go to addresses that are not public, and without TLS. Only for development.',
    }),
  ],
  timeout: [
    'WEBHOOKS_TIMEOUT',
    wholeNumber(
      1,
      30_000,
    )({
      default: 15_000,
      desc: 'How long a receiver may take to respond, in milliseconds, 1 to 30000.',
    }),
  ],
}) {}

const MAX_URL = 500;

/** Whoever gets webhooks. In `domain`. */
interface Receiver {
  readonly id: Int64;
  readonly url: string;
  /** Signs what is sent to this receiver. Both sides know it, so it cannot be stored as a hash. */
  readonly secret: string;
}

/** A secret of 32 bytes, in the form of Standard Webhooks. In `domain`. */
const generateSecret = (random: RandomSource) => `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`;

/** In `domain`. */
function validateUrl(text: string, allowsHttp: boolean): Problem[] {
  const { protocol, username, password } = new URL(URL.canParse(text) ? text : 'invalid:');
  const isOfScheme = protocol === 'https:' || (allowsHttp && protocol === 'http:');
  if (isOfScheme && username === '' && password === '') return [];
  return [
    { field: 'url', code: 'invalid_format', message: 'must be a URL with https:// and without a user' },
  ];
}

class ReceiverNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'webhook_receiver_not_found';
  static readonly meaning = 'No receiver of webhooks has this id.';
  static readonly remedy = 'List the receivers.';
}

/**
 * A receiver must be told that a pet was sold. `id` is the id of the receiver, so receivers do not wait for each other. The event of
 * the pet does not have a time, so `recordedAt` is the time of this event.
 */
const WebhookDue = new EventType<{ id: Int64; petId: Int64; recordedAt: Date }>('webhook', 'WebhookDue');

/** What is sent. In `domain`. */
interface Webhook {
  /** The same in each try, so that the receiver recognises a webhook that is repeated. */
  readonly id: string;
  readonly body: string;
}

/** Sends webhooks. In `ports`. */
export abstract class WebhookSender {
  /** @throws Error unless the receiver has accepted the webhook */
  abstract send(
    receiver: Pick<Receiver, 'url' | 'secret'>,
    webhook: Webhook,
    signal: AbortSignal,
  ): Promise<void>;
}

/** The signature of Standard Webhooks 1.0.0. */
export function signatureOf(secret: string, { id, body }: Webhook, seconds: number): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** @param ranges in the form of CIDR, between spaces */
function blockList(family: 'ipv4' | 'ipv6', ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.trim().split(/\s+/)) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/**
 * The ranges that are not public, by the special-purpose registries of IANA (RFC 6890), and multicast. Each family has its own list,
 * because a list compares an IPv4 address with ranges of IPv6, too. Of IPv6, only 2000::/3 is public. So an address that contains an
 * IPv4 address, such as ::ffff:127.0.0.1, is not public.
 */
const NOT_PUBLIC = {
  ipv4: blockList(
    'ipv4',
    `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
     192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`,
  ),
  ipv6: blockList('ipv6', '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20'),
};

/** In `adapters/outbound`, with the lists above. */
export function isPublic(address: string): boolean {
  // The zone of an address such as fe80::1%eth0 is not part of its range.
  const [plain = ''] = address.split('%');
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4';
  return !NOT_PUBLIC[family].check(plain, family);
}

const notPublic = () => new Error('its address is not public');

/**
 * Finds the addresses of a host for one connection. A check before the request would look the host up twice, and the owner of the
 * host may return another address the second time.
 */
export const lookupPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    const addresses = found.filter(({ address }) => isPublic(address));
    const [first] = addresses;
    if (!first) return done(notPublic(), []);
    if (options.all) return done(null, addresses);
    return done(null, first.address, first.family);
  });

/** Sends webhooks by HTTP. In `adapters/outbound`. */
@Injectable()
class HttpWebhookSender extends WebhookSender {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async send(
    { url, secret }: Pick<Receiver, 'url' | 'secret'>,
    webhook: Webhook,
    signal: AbortSignal,
  ): Promise<void> {
    const seconds = Math.floor(this.clock.now() / 1_000);
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': webhook.id,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': signatureOf(secret, webhook, seconds),
    };
    const { timeout } = this.settings;
    const late = AbortSignal.timeout(timeout);
    let status: number;
    try {
      status = await this.#post(new URL(url), headers, webhook.body, AbortSignal.any([signal, late]));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Messages of Node may contain the host, which a client has chosen. A code does not.
      const reason = late.aborted ? `it took longer than ${timeout} ms` : (code ?? message);
      throw new Error(`the receiver did not respond: ${reason}`, { cause: error });
    }
    if (status < 200 || status > 299) throw new Error(`the receiver responded with ${status}`);
  }

  /** @returns the status of the response. A redirect is not followed, and the body is not read */
  #post(url: URL, headers: http.OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<number> {
    const { allowsInternal } = this.settings;
    // Node does not look up an address that the URL contains.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!allowsInternal && isIP(host) !== 0 && !isPublic(host)) return Promise.reject(notPublic());
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        signal,
        // A connection of an agent may have been opened without `lookupPublic`.
        agent: false,
        ...(!allowsInternal && { lookup: lookupPublic }),
      });
      request.on('response', (response) => {
        resolve(response.statusCode!);
        response.destroy();
      });
      request.on('error', reject);
      // A response with 101 ends the connection without an error.
      request.on('close', () => reject(new Error('it closed the connection')));
      request.end(body);
    });
  }
}

const ReceiverSchema = new EntitySchema<Receiver>({
  name: 'WebhookReceiver',
  tableName: 'webhook_receivers',
  columns: {
    id: columns.int64({ primary: true }),
    url: columns.text(MAX_URL),
    secret: columns.text(80),
  },
});

class CreateWebhookReceivers extends CreateTable {
  readonly name = 'CreateWebhookReceivers1795999999994';
  protected readonly schema = ReceiverSchema;
  protected override readonly sequence = 'webhook_receivers';
}

@Injectable()
class Receivers {
  constructor(
    @InjectRepository(ReceiverSchema) private readonly rows: Repository<Receiver>,
    private readonly sequences: Sequences,
    private readonly random: RandomSource,
    private readonly clock: Clock,
    private readonly events: Events,
    private readonly sender: WebhookSender,
    private readonly settings: WebhookSettings,
  ) {}

  /** @throws InvalidInput */
  async add(url: string): Promise<Receiver> {
    const problems = validateUrl(url, this.settings.allowsInternal);
    if (problems.length > 0) throw new InvalidInput(problems);
    const id = await this.sequences.of('webhook_receivers').next();
    const receiver = { id, url, secret: generateSecret(this.random) };
    await insertOnce(this.rows, receiver);
    return receiver;
  }

  list(selection: Selection<object>): Promise<Page<Receiver>> {
    return keysetPage(this.rows.createQueryBuilder('receiver'), selection);
  }

  /** A receiver that does not exist counts as removed. */
  async remove(id: Int64): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Records an event for each receiver. Belongs to the unit of work of the event of the pet. */
  async announceSale(petId: Int64): Promise<void> {
    const recordedAt = new Date(this.clock.now());
    await this.events.record(WebhookDue, async () => {
      const receivers = await this.rows.find({ select: { id: true }, order: { id: 'ASC' } });
      return receivers.map(({ id }) => ({ id, petId, recordedAt }));
    });
  }

  /** Sends the webhook of an event, unless its receiver was removed. */
  async deliver(receiverId: Int64, petId: Int64, recordedAt: Date, { id, signal }: Delivery): Promise<void> {
    const receiver = await this.rows.findOneBy({ id: receiverId });
    if (!receiver) return;
    const body = JSON.stringify({ type: 'pet.sold', timestamp: recordedAt, data: { petId: Number(petId) } });
    await this.sender.send(receiver, { id: `msg_${id}`, body }, signal);
  }
}

class ListReceiversQuery extends PageQuery {}

@ApiSchema({ name: 'NewWebhookReceiver' })
class NewReceiverBody {
  @TextField({
    description: 'Where webhooks are sent: a URL with `https://` and without a user.',
    example: 'https://example.com/webhooks',
    minLength: 1,
    maxLength: MAX_URL,
  })
  url!: string;
}

@ApiSchema({ name: 'WebhookReceiver' })
class ReceiverBody extends NewReceiverBody {
  @IdField({ description: 'Identifier of the receiver.', example: 1 })
  id!: Int64;
}

@ApiSchema({ name: 'AddedWebhookReceiver' })
class AddedReceiverBody extends ReceiverBody {
  @TextField({
    description: 'Verifies the signatures of webhooks. No other response contains it.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret!: string;
}

const toReceiverBody = ({ id, url }: Receiver): ReceiverBody => ({ id, url });

@Controller('webhook-receivers')
class ReceiversController {
  constructor(private readonly receivers: Receivers) {}

  @Get()
  @ListOperation('receivers of webhooks', {
    name: 'listWebhookReceivers',
    scope: 'webhooks:admin',
    body: ReceiverBody,
    listName: 'WebhookReceivers',
  })
  list(@Query() query: ListReceiversQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.receivers.list(selection), toReceiverBody);
  }

  // Without `@Idempotent()`, because the service would store the response, which contains the secret.
  @Post()
  @Operation({
    name: 'addWebhookReceiver',
    scope: 'webhooks:admin',
    summary: 'Adds a receiver of webhooks.',
    description:
      'If you lose the response, remove the receiver, and add it again. Its secret is never shown again.',
    success: { status: 201, description: 'The receiver, with its secret.', body: AddedReceiverBody },
  })
  async add(@Body() { url }: NewReceiverBody): Promise<AddedReceiverBody> {
    const receiver = await this.receivers.add(url);
    return { ...toReceiverBody(receiver), secret: receiver.secret };
  }

  @Delete(':receiverId')
  @Operation({
    name: 'removeWebhookReceiver',
    scope: 'webhooks:admin',
    errors: [ReceiverNotFound],
    summary: 'Removes a receiver of webhooks.',
    description: 'Safe to send again. Webhooks that wait for the receiver are not sent.',
    success: { status: 204, description: 'The receiver does not exist.' },
  })
  remove(@Id('receiverId', ReceiverNotFound) id: Int64) {
    return this.receivers.remove(id);
  }
}

@Migrations(CreateWebhookReceivers)
@Module({
  imports: [
    PetsModule,
    TypeOrmModule.forFeature([ReceiverSchema]),
    SettingsModule.forFeature(WebhookSettings),
  ],
  controllers: [ReceiversController],
  providers: [Receivers, { provide: WebhookSender, useClass: HttpWebhookSender }],
})
export class WebhooksModule {
  constructor(events: Events, receivers: Receivers) {
    events.subscribe(PetStatusChanged, 'webhooks', async ({ id, to }) => {
      if (to === 'sold') await receivers.announceSale(id);
    });
    events.subscribeOutbound(WebhookDue, 'webhook-sending', ({ id, petId, recordedAt }, delivery) =>
      receivers.deliver(id, petId, recordedAt, delivery),
    );
  }
}
