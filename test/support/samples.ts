import { readdirSync, readFileSync } from 'node:fs';
import type { Type } from '@nestjs/common';

const canvases = readdirSync('docs/canvas').map((file) => readFileSync(`docs/canvas/${file}`, 'utf8'));

/** The given modules without modules that have the name of a canvas: the service has such a table, entity or path. */
export const unlessTaken = (...samples: Type[]): Type[] =>
  samples.filter(({ name }) => !new RegExp(name.replace('sModule', ''), 'i').test(canvases.join()));
