import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumberString, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { type PetStatus, STATUSES } from '../shared.js';

export class ListPetsDto {
  @IsOptional()
  @IsIn(STATUSES)
  status?: PetStatus;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @IsOptional()
  @IsNumberString({ no_symbols: true })
  before?: string;
}

export class NewPetDto {
  @IsString()
  @Length(1, 255)
  name!: string;

  @IsInt()
  @Min(Number.MIN_SAFE_INTEGER)
  @Max(Number.MAX_SAFE_INTEGER)
  categoryId!: number;

  @IsIn(STATUSES)
  status: PetStatus = 'available';
}
