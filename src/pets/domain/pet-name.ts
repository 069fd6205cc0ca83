import type { Problem } from '../../kernel/domain-error.js';
import { validateText } from '../../kernel/text.js';

/** In characters, which are code points. */
export const MAX_PET_NAME = 255;

/** The problems of a pet's name: the policy requires a text of 1 to `MAX_PET_NAME` characters. A valid name is kept byte for byte. */
export const validatePetName = (name: string): Problem[] => validateText('name', name, MAX_PET_NAME);
