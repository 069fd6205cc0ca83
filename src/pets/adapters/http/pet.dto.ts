import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { type Int64, InvalidInput } from '../../../kernel/index.js';
import {
  DtoValidationPipe,
  EnumField,
  IdField,
  IdsField,
  Int64Field,
  PageQuery,
  ReadOnly,
  TextField,
} from '../../../platform/http/index.js';
import { MAX_PET_NAME, type NewPetInput } from '../../domain/new-pet.js';
import { PET_STATUSES, type PetStatus } from '../../domain/pet-status.js';
import type { Pet } from '../../domain/pet.js';
import { PetShape } from '../../ports/pet-shape.js';

const STATUS = {
  name: 'PetStatus',
  description:
    'The status of the animal. An `available` animal can be ordered. An order makes the animal `pending`, and its delivery makes the animal `sold`.',
  example: 'available',
};

/** The query parameters of the list of pets. */
export class ListPetsQuery extends PageQuery {
  @EnumField(PET_STATUSES, {
    ...STATUS,
    description: 'Returns only animals with this status.',
    optional: true,
  })
  status?: PetStatus;

  @IdsField({
    description:
      'Returns only the animals with these identifiers, at most 100. Separate them by commas, or repeat the parameter. Unknown identifiers are ignored.',
    agentDescription:
      'Returns only the animals with these identifiers, at most 100. Unknown identifiers are ignored.',
    example: [1, 2],
    optional: true,
  })
  id?: Int64[];
}

/** The body that adds a pet. */
@ApiSchema({ name: 'NewPet' })
export class NewPetBody {
  @TextField({
    description: `The animal's name, which is stored unchanged. It has 1 to ${MAX_PET_NAME} code points, at least one visible character, and no control characters.`,
    example: 'Rex',
    minLength: 1,
    maxLength: MAX_PET_NAME,
  })
  name!: string;

  @Int64Field({
    description:
      'Identifier of the category the animal belongs to. The service does not check that the category exists.',
    example: 7,
  })
  categoryId!: Int64;

  @EnumField(PET_STATUSES, {
    ...STATUS,
    description:
      'Availability status of the animal. The default is `available`. The value `null` is rejected.',
    optional: true,
  })
  status?: PetStatus;

  @ReadOnly() id?: never;
}

/** A pet as it is returned. */
@ApiSchema({ name: 'Pet' })
export class PetBody {
  @IdField({
    description: 'Unique identifier assigned by the service on creation. It is never assigned again.',
    example: 1,
  })
  id!: Int64;

  @TextField({ description: "The animal's name.", example: 'Rex', maxLength: MAX_PET_NAME })
  name!: string;

  @Int64Field({ description: 'Identifier of the category the animal belongs to.', example: 7 })
  categoryId!: Int64;

  @EnumField(PET_STATUSES, STATUS)
  status!: PetStatus;
}

export function toPetBody(pet: Pet): PetBody {
  return {
    id: pet.id,
    name: pet.name,
    categoryId: pet.categoryId,
    status: pet.status,
  };
}

/** Validates a line of an import as the body of `POST /v1/pets`, so that both have one set of rules. */
@Injectable()
export class DtoPetShape extends PetShape {
  constructor(private readonly pipe: DtoValidationPipe) {
    super();
  }

  override async read(data: object): Promise<NewPetInput> {
    const { made, problems } = await this.pipe.judge(data, { type: 'body', metatype: NewPetBody });
    if (problems.length > 0)
      throw new InvalidInput(problems.map(({ path, ...problem }) => ({ ...problem, field: path.join('.') })));
    return made as NewPetBody;
  }
}
