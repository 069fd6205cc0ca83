// Loaded into the service before its main script (`node --import`): replaces the built modules named in STAND_INS by files
// of the folder `stand-ins`.
import { existsSync } from 'node:fs';
import { register } from 'node:module';

const { STAND_INS } = process.env;

const data = Object.entries(JSON.parse(STAND_INS)).map(([built, standIn]) => [
  new URL(`../../dist/${built}`, import.meta.url).href,
  new URL(`stand-ins/${standIn}`, import.meta.url).href,
]);
for (const [built] of data) {
  if (!existsSync(new URL(built))) throw new Error(`Nothing to stand in for: ${built}`);
}
register('./stand-ins/hooks/resolve.mjs', import.meta.url, { data });
