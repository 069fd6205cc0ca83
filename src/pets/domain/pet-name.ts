import type { Problem } from '../../kernel/domain-error.js';
import { validateText } from '../../kernel/text.js';

/** The problems of a pet's name: the policy requires a text of 1 to 255 characters. A valid name is kept byte for byte. */
export const validatePetName = (name: string): Problem[] => validateText('name', name, 255);
