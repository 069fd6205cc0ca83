import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import type { Int64 } from '../../../kernel/int64.js';
import { Id } from '../../../platform/http/id.js';
import { Idempotent, type Once } from '../../../platform/http/idempotency/idempotency.js';
import { Paged, type Paging } from '../../../platform/http/lists/pager.js';
import { Location, type SetLocation } from '../../../platform/http/location.js';
import { DescribedTag } from '../../../platform/http/openapi/operation.decorator.js';
import { IfMatch, type Precondition } from '../../../platform/http/precondition.js';
import { Vaccinations } from '../../application/vaccinations.js';
import { VaccinationNotFound } from '../../domain/vaccination-errors.js';
import {
  CreateVaccination,
  DeleteVaccination,
  GetVaccination,
  ListVaccinations,
  UpdateVaccination,
} from './vaccinations.operations.js';
import {
  ListVaccinationsQuery,
  NewVaccinationBody,
  VaccinationChangeBody,
  toVaccinationBody,
  toVaccinationChange,
  toNewVaccinationInput,
} from './vaccination.dto.js';

@DescribedTag('vaccinations', 'The area of vaccinations.')
@Controller('vaccinations')
export class VaccinationsController {
  constructor(private readonly vaccinations: Vaccinations) {}

  @Get()
  @ListVaccinations()
  list(@Query() query: ListVaccinationsQuery, @Paged() page: Paging) {
    return page(query, (selection) => this.vaccinations.list(selection), toVaccinationBody);
  }

  @Post()
  @CreateVaccination()
  add(@Body() body: NewVaccinationBody, @Idempotent() once: Once, @Location() setLocation: SetLocation) {
    return once(async () => {
      const vaccination = await this.vaccinations.add(toNewVaccinationInput(body));
      setLocation(vaccination.id);
      return toVaccinationBody(vaccination);
    });
  }

  @Get(':vaccinationId')
  @GetVaccination()
  async get(@Id('vaccinationId') id: Int64) {
    return toVaccinationBody(await this.vaccinations.get(id));
  }

  @Patch(':vaccinationId')
  @UpdateVaccination()
  async change(
    @Id('vaccinationId') id: Int64,
    @Body() body: VaccinationChangeBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    const change = toVaccinationChange(body);
    return toVaccinationBody(await this.vaccinations.change(id, change, ifMatch(toVaccinationBody)));
  }

  @Delete(':vaccinationId')
  @DeleteVaccination()
  delete(@Id('vaccinationId', { refusal: VaccinationNotFound }) id: Int64, @IfMatch() ifMatch: Precondition) {
    return this.vaccinations.delete(id, ifMatch(toVaccinationBody));
  }
}
