import { SetMetadata } from '@nestjs/common';

/** The metadata of a handler or controller that needs no API key. */
export const IS_PUBLIC = Symbol('public');

/** Marks a route or controller that needs no API key. All others need one. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
