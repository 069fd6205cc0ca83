import { CreateOperation, ListOperation, Operation } from '../../../platform/http/index.js';
import { GroomerNotFound } from '../../domain/groomer-errors.js';
import { GroomerBody } from './groomer.dto.js';

// What the document says of each operation, and which scope it requires.

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
    description: 'An id that is no int64 in plain decimal names no groomer.',
    success: { status: 200, description: 'The requested groomer.', body: GroomerBody },
  });
