import { CreateOperation, ListOperation, Operation } from '../../../platform/http/index.js';
import { GroomerBusy, GroomingNotFound, UnknownGroomer } from '../../domain/grooming-errors.js';
import { GroomingBody } from './grooming.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListGroomings = () =>
  ListOperation('groomings', {
    name: 'listGroomings',
    scope: 'groomings:read',
    isSortable: true,
    body: GroomingBody,
    listName: 'Groomings',
  });

export const CreateGrooming = () =>
  CreateOperation('grooming', {
    name: 'createGrooming',
    scope: 'groomings:write',
    errors: [GroomerBusy, UnknownGroomer],
    body: GroomingBody,
  });

export const GetGrooming = () =>
  Operation({
    name: 'getGrooming',
    scope: 'groomings:read',
    errors: [GroomingNotFound],
    summary: 'Returns one grooming by identifier.',
    description: 'A malformed id returns 404, too.',
    success: { status: 200, description: 'The requested grooming.', body: GroomingBody },
  });
