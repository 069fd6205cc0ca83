// Loaded into the service before its main script (`node --import`): replaces the built modules named in STAND_INS by the
// plain ones of the folder `without`.
import { existsSync } from 'node:fs';
import { register } from 'node:module';

const { STAND_INS } = process.env;

const data = Object.entries(JSON.parse(STAND_INS)).map(([built, standIn]) => [
  new URL(`../../dist/${built}`, import.meta.url).href,
  new URL(`without/${standIn}`, import.meta.url).href,
]);
for (const [built] of data) {
  if (!existsSync(new URL(built))) throw new Error(`Nothing to stand in for: ${built}`);
}
register('./without/hooks/resolve.mjs', import.meta.url, { data });
