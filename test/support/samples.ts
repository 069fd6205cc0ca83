import { readdirSync, readFileSync } from 'node:fs';
import type { Type } from '@nestjs/common';

const canvases = readdirSync('docs/canvas').map((file) => readFileSync(`docs/canvas/${file}`, 'utf8'));

/** The given modules, but those of which a canvas has the name: the service has a table, an entity or a path like theirs. */
export const unlessTaken = (...samples: Type[]): Type[] =>
  samples.filter(({ name }) => !new RegExp(name.replace('sModule', ''), 'i').test(canvases.join()));
