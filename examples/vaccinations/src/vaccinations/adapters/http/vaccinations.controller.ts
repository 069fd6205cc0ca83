import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Int64 } from '../../../kernel/int64.js';
import { Id } from '../../../platform/http/id.js';
import { DescribedTag, Operation } from '../../../platform/http/openapi/operation.decorator.js';
import { Idempotent, type Once } from '../../../platform/http/idempotency/idempotency.js';
import { Links } from '../../../platform/http/links.js';
import { Pager } from '../../../platform/http/lists/pager.js';
import { IfMatch, type Precondition } from '../../../platform/http/precondition.js';
import { ApiErrors, RequireScope, Stability } from '../../../platform/http/route.decorators.js';
import { Vaccinations } from '../../application/vaccinations.js';
import { UnknownPet, VaccinationNotFound } from '../../domain/vaccination-errors.js';
import { ListVaccinationsQuery } from './list-vaccinations.query.js';
import {
  NewVaccinationBody,
  VaccinationBody,
  VaccinationChangeBody,
  toVaccinationBody,
  toVaccinationChange,
  toNewVaccinationInput,
} from './vaccination.dto.js';

@DescribedTag('vaccinations', 'The area of vaccinations.')
@Controller('vaccinations')
export class VaccinationsController {
  constructor(
    private readonly vaccinations: Vaccinations,
    private readonly pager: Pager,
    private readonly links: Links,
  ) {}

  @Get()
  @Stability('experimental')
  @RequireScope('vaccinations:read')
  @ApiErrors('invalid_cursor')
  @Operation({
    name: 'listVaccinations',
    summary: 'Lists vaccinations.',
    description:
      'Newest first (largest id first), unless `sort` says otherwise. The next page is in the `Link` header; the body is a bare array.',
    success: {
      status: 200,
      description: 'The list of vaccinations; empty when nothing matches.',
      body: VaccinationBody,
      listName: 'Vaccinations',
      headers: {
        Link: { description: 'The `next` page, absent on the last one, and the `first`.', required: true },
      },
    },
  })
  list(@Query() query: ListVaccinationsQuery, @Res({ passthrough: true }) response: Response) {
    return this.pager.page(
      response,
      '/vaccinations',
      query,
      (selection) => this.vaccinations.list(selection),
      toVaccinationBody,
    );
  }

  @Post()
  @Stability('experimental')
  @RequireScope('vaccinations:write')
  @ApiErrors(UnknownPet)
  @Operation({
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
  })
  add(
    @Body() body: NewVaccinationBody,
    @Idempotent() once: Once,
    @Res({ passthrough: true }) response: Response,
  ) {
    return once(async () => {
      const vaccination = await this.vaccinations.add(toNewVaccinationInput(body));
      response.setHeader('Location', this.links.of(response.req).to(`/vaccinations/${vaccination.id}`));
      return toVaccinationBody(vaccination);
    });
  }

  @Get(':vaccinationId')
  @Stability('experimental')
  @RequireScope('vaccinations:read')
  @ApiErrors(VaccinationNotFound)
  @Operation({
    name: 'getVaccination',
    summary: 'Returns one vaccination by identifier.',
    description: 'An id that is no int64 in plain decimal names no vaccination.',
    success: { status: 200, description: 'The requested vaccination.', body: VaccinationBody },
  })
  async get(@Id('vaccinationId') id: Int64) {
    return toVaccinationBody(await this.vaccinations.get(id));
  }

  @Patch(':vaccinationId')
  @Stability('experimental')
  @RequireScope('vaccinations:write')
  @ApiErrors(VaccinationNotFound, UnknownPet)
  @Operation({
    name: 'updateVaccination',
    summary: 'Changes a vaccination.',
    description: 'A JSON merge patch (RFC 7396): what is absent stays, `null` removes what may be absent.',
    success: { status: 200, description: 'The vaccination as it is now.', body: VaccinationBody },
  })
  async change(
    @Id('vaccinationId') id: Int64,
    @Body() body: VaccinationChangeBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    const change = toVaccinationChange(body);
    return toVaccinationBody(await this.vaccinations.change(id, change, ifMatch(toVaccinationBody)));
  }

  @Delete(':vaccinationId')
  @Stability('experimental')
  @RequireScope('vaccinations:write')
  @ApiErrors(VaccinationNotFound)
  @Operation({
    name: 'deleteVaccination',
    summary: 'Deletes a vaccination.',
    description: 'Safe to send again: what is not there is deleted already.',
    success: { status: 204, description: 'The vaccination is not there.' },
  })
  delete(@Id('vaccinationId') id: Int64, @IfMatch() ifMatch: Precondition) {
    return this.vaccinations.delete(id, ifMatch(toVaccinationBody));
  }
}
