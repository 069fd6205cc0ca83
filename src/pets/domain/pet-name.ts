import type { Problem } from '../../kernel/domain-error.js';
import { validateText } from '../../kernel/text.js';

/** The problems of a pet's name. The policy asks for a text of 1 to 255 characters. A good name is kept as it is, byte for byte. */
export const validatePetName = (name: string): Problem[] => validateText('name', name, 255);
