import { InvalidInput } from '../../../kernel/domain-error.js';
import { validateBodySync } from '../../../platform/http/validation/validate-dto.js';
import type { PetWish } from '../../domain/new-pet.js';
import { PetShape } from '../../ports/pet-shape.js';
import { NewPetBody, wishFrom } from './pet.dto.js';

/** Reads what an import brings as the body of `POST /v1/pets` is read, so there is one set of rules for both. */
export class DtoPetShape extends PetShape {
  override read(data: object): PetWish {
    const { dto, problems } = validateBodySync(NewPetBody, data);
    if (problems.length > 0)
      throw new InvalidInput(problems.map(({ path, ...problem }) => ({ ...problem, field: path.join('.') })));
    return wishFrom(dto);
  }
}
