import { CreateOperation, ListOperation, Operation } from '../../../platform/http/index.js';
import { UnknownPet, VaccinationNotFound } from '../../domain/vaccination-errors.js';
import { VaccinationBody } from './vaccination.dto.js';

// The description of each operation in the OpenAPI document, and the scope that it requires.

export const ListVaccinations = () =>
  ListOperation('vaccinations', {
    name: 'listVaccinations',
    scope: 'vaccinations:read',
    isSortable: true,
    body: VaccinationBody,
    listName: 'Vaccinations',
  });

export const CreateVaccination = () =>
  CreateOperation('vaccination', {
    name: 'createVaccination',
    scope: 'vaccinations:write',
    errors: [UnknownPet],
    body: VaccinationBody,
  });

export const GetVaccination = () =>
  Operation({
    name: 'getVaccination',
    scope: 'vaccinations:read',
    errors: [VaccinationNotFound],
    summary: 'Returns one vaccination by identifier.',
    description: 'A malformed id returns 404, too.',
    success: { status: 200, description: 'The requested vaccination.', body: VaccinationBody },
  });

export const UpdateVaccination = () =>
  Operation({
    name: 'updateVaccination',
    scope: 'vaccinations:write',
    errors: [VaccinationNotFound, UnknownPet],
    summary: 'Changes a vaccination.',
    description:
      'A JSON merge patch (RFC 7396): absent fields are not changed, and `null` removes an optional value. If the vaccination already has these values, the response is 200, even with an outdated `If-Match`.',
    success: { status: 200, description: 'The vaccination as it is now.', body: VaccinationBody },
  });

export const DeleteVaccination = () =>
  Operation({
    name: 'deleteVaccination',
    scope: 'vaccinations:write',
    errors: [VaccinationNotFound],
    summary: 'Deletes a vaccination.',
    description: 'Safe to send again: the response is 204 also if the vaccination does not exist.',
    success: { status: 204, description: 'The vaccination does not exist afterwards.' },
  });
