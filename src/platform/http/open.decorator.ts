import { SetMetadata } from '@nestjs/common';

/** The metadata of a handler or controller that needs no API key. */
export const OPEN = Symbol('open');

/** Marks what everybody may ask without an API key; everything else is behind one. */
export const Open = () => SetMetadata(OPEN, true);
