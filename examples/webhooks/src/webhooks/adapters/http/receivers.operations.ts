import { ListOperation, Operation } from '../../../platform/http/index.js';
import { ReceiverNotFound } from '../../domain/receiver-errors.js';
import { AddedReceiverBody, ReceiverBody } from './receiver.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListReceivers = () =>
  ListOperation('receivers', {
    name: 'listReceivers',
    scope: 'webhooks:read',
    body: ReceiverBody,
    listName: 'Receivers',
  });

export const CreateReceiver = () =>
  Operation({
    name: 'createReceiver',
    scope: 'webhooks:write',
    summary: 'Adds a new receiver.',
    description:
      'If you lose the response, delete the receiver, and add it again. Its secret is never shown again.',
    success: {
      status: 201,
      description: 'The receiver is added. The body has its new `id` and its secret.',
      body: AddedReceiverBody,
      headers: { Location: { description: 'The URL of the new receiver.' } },
    },
  });

export const GetReceiver = () =>
  Operation({
    name: 'getReceiver',
    scope: 'webhooks:read',
    errors: [ReceiverNotFound],
    summary: 'Returns one receiver by identifier.',
    description: 'A malformed id returns 404, too.',
    success: { status: 200, description: 'The requested receiver.', body: ReceiverBody },
  });

export const DeleteReceiver = () =>
  Operation({
    name: 'deleteReceiver',
    scope: 'webhooks:write',
    errors: [ReceiverNotFound],
    summary: 'Deletes a receiver.',
    description:
      'Safe to send again: the response is 204 also if the receiver does not exist. Webhooks that wait for it are not sent.',
    success: { status: 204, description: 'The receiver does not exist afterwards.' },
  });
