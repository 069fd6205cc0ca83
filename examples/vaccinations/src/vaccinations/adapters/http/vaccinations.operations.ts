import { applyDecorators } from '@nestjs/common';
import { ListOperation, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { ApiErrors, RequireScope, Stability } from '../../../platform/http/route.decorators.js';
import { UnknownPet, VaccinationNotFound } from '../../domain/vaccination-errors.js';
import { VaccinationBody } from './vaccination.dto.js';

// What the document says of each operation, and which scope it requires.

export const ListVaccinations = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('vaccinations:read'),
    ListOperation('vaccinations', {
      name: 'listVaccinations',
      description:
        'Newest first (largest id first), unless `sort` says otherwise. The next page is in the `Link` header; the body is a bare array.',
      body: VaccinationBody,
      listName: 'Vaccinations',
    }),
  );

export const CreateVaccination = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('vaccinations:write'),
    ApiErrors(UnknownPet),
    Operation({
      name: 'createVaccination',
      summary: 'Adds a new vaccination.',
      description: 'Unknown fields are rejected.',
      success: {
        status: 201,
        description: 'Vaccination added; the body carries the assigned `id`.',
        body: VaccinationBody,
        headers: {
          Location: { description: 'The address of the new vaccination.' },
          'Idempotency-Replayed': { description: '`true` when this is the answer to an earlier try.' },
        },
      },
    }),
  );

export const GetVaccination = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('vaccinations:read'),
    ApiErrors(VaccinationNotFound),
    Operation({
      name: 'getVaccination',
      summary: 'Returns one vaccination by identifier.',
      description: 'An id that is no int64 in plain decimal names no vaccination.',
      success: { status: 200, description: 'The requested vaccination.', body: VaccinationBody },
    }),
  );

export const UpdateVaccination = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('vaccinations:write'),
    ApiErrors(VaccinationNotFound, UnknownPet),
    Operation({
      name: 'updateVaccination',
      summary: 'Changes a vaccination.',
      description: 'A JSON merge patch (RFC 7396): what is absent stays, `null` removes what may be absent.',
      success: { status: 200, description: 'The vaccination as it is now.', body: VaccinationBody },
    }),
  );

export const DeleteVaccination = () =>
  applyDecorators(
    Stability('experimental'),
    RequireScope('vaccinations:write'),
    ApiErrors(VaccinationNotFound),
    Operation({
      name: 'deleteVaccination',
      summary: 'Deletes a vaccination.',
      description: 'Safe to send again: what is not there is deleted already.',
      success: { status: 204, description: 'The vaccination is not there.' },
    }),
  );
