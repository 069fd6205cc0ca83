import { ApiSchema } from '@nestjs/swagger';
import type { Int64 } from '../../../kernel/index.js';
import { IdField, PageQuery, ReadOnly, TextField } from '../../../platform/http/index.js';
import { MAX_RECEIVER_URL } from '../../domain/new-receiver.js';
import type { Receiver } from '../../domain/receiver.js';

const URL = {
  description: `Where webhooks are sent: a URL of at most ${MAX_RECEIVER_URL} code points with \`https://\` and without a user.`,
  example: 'https://receiver.example/webhooks',
};
const URL_LENGTH = { minLength: 1, maxLength: MAX_RECEIVER_URL };
const SECRET = {
  description: 'Verifies the signatures of webhooks. No other response contains it.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};

/** The query parameters of the list of receivers. */
export class ListReceiversQuery extends PageQuery {}

/** The body that adds a receiver. */
@ApiSchema({ name: 'NewReceiver' })
export class NewReceiverBody {
  @TextField({ ...URL, ...URL_LENGTH })
  url!: string;

  @ReadOnly() id?: never;
  @ReadOnly() secret?: never;
}

/** A receiver as it is returned. */
@ApiSchema({ name: 'Receiver' })
export class ReceiverBody {
  @IdField({ description: 'Unique identifier assigned by the service on creation.', example: 1 })
  id!: Int64;

  @TextField(URL)
  url!: string;
}

/** A receiver as it is returned once, when it is added. */
@ApiSchema({ name: 'AddedReceiver' })
export class AddedReceiverBody extends ReceiverBody {
  @TextField(SECRET)
  secret!: string;
}

export const toReceiverBody = ({ id, url }: Receiver): ReceiverBody => ({ id, url });

export const toAddedReceiverBody = (receiver: Receiver): AddedReceiverBody => ({
  ...toReceiverBody(receiver),
  secret: receiver.secret,
});
