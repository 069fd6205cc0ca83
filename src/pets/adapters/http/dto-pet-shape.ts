import { InvalidInput } from '../../../kernel/domain-error.js';
import { validateBodySync } from '../../../platform/http/validation/validate-dto.js';
import type { NewPetInput } from '../../domain/new-pet.js';
import { PetShape } from '../../ports/pet-shape.js';
import { NewPetBody, toNewPetInput } from './pet.dto.js';

/** Reads a line of an import as the body of `POST /v1/pets`, so that both have one set of rules. */
export class DtoPetShape extends PetShape {
  override read(data: object): NewPetInput {
    const { dto, problems } = validateBodySync(NewPetBody, data);
    if (problems.length > 0)
      throw new InvalidInput(problems.map(({ path, ...problem }) => ({ ...problem, field: path.join('.') })));
    return toNewPetInput(dto);
  }
}
