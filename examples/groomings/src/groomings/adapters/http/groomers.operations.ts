import { CreateOperation, ListOperation, Operation } from '../../../platform/http/index.js';
import { GroomerNotFound } from '../../domain/groomer-errors.js';
import { GroomerBody } from './groomer.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListGroomers = () =>
  ListOperation('groomers', {
    name: 'listGroomers',
    scope: 'groomings:read',
    body: GroomerBody,
    listName: 'Groomers',
  });

export const CreateGroomer = () =>
  CreateOperation('groomer', {
    name: 'createGroomer',
    scope: 'groomings:admin',
    body: GroomerBody,
  });

export const GetGroomer = () =>
  Operation({
    name: 'getGroomer',
    scope: 'groomings:read',
    errors: [GroomerNotFound],
    summary: 'Returns one groomer by identifier.',
    description: 'A malformed id returns 404, too.',
    success: { status: 200, description: 'The requested groomer.', body: GroomerBody },
  });
