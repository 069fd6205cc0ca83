// Tests whether the time of a refusal distinguishes an unknown key from a nearly right one: Welch's t-test over the check
// of both, in process, on SQLite; |t| below 4.5 means no (threshold of TVLA, ISO/IEC 17825). Run after `npm run build`:
//   node test/bench/refusal-timing.mjs [samples]
import { NestFactory } from '@nestjs/core';
import { ApiKeyService } from '../../dist/access/index.js';
import { generateSecret } from '../../dist/access/domain/key-secret.js';
import { AppModule, MODULES } from '../../dist/app.module.js';
import { readSettings } from '../../dist/platform/config/settings.js';
import { Database } from '../../dist/platform/database/database.js';
import { SystemRandomSource } from '../../dist/platform/process/system.js';

const SAMPLES = Number(process.argv[2] ?? 50_000);
const WARM_UP = 2_000;
/** Share of samples kept: the slowest of each kind are noise of the machine, not of the code. */
const KEPT = 0.95;

const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, MODULES);
const app = await NestFactory.createApplicationContext(AppModule.with(settings), { logger: false });
await app.get(Database).open({ waitForServer: false });
const apiKeys = app.get(ApiKeyService);
const { secret } = await apiKeys.issue({ name: 'known' }, 'test', 'bench');
const chance = new SystemRandomSource();

/** A key with the first 30 random characters of the known key, other characters after them, and a valid checksum. */
function nearlyRight() {
  let first = true;
  const known = Buffer.from(Array.from(secret.slice(9, 39), indexInBase62));
  return generateSecret('test', {
    bytes: (count) =>
      first ? ((first = false), Buffer.concat([known, chance.bytes(count - 30)])) : chance.bytes(count),
  });
}
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function indexInBase62(character) {
  return BASE62.indexOf(character);
}

async function time(candidate) {
  const begin = process.hrtime.bigint();
  await apiKeys.authenticate(candidate);
  return Number(process.hrtime.bigint() - begin);
}

// All candidates are created before the first measurement, in the same way, so that the age of a string has no effect.
const candidates = Array.from({ length: 2 * (SAMPLES + WARM_UP) }, () => {
  const kind = chance.bytes(1)[0] % 2 ? 'unknown' : 'wrong';
  const candidate = kind === 'unknown' ? generateSecret('test', chance) : nearlyRight();
  return { kind, candidate: Buffer.from(candidate).toString() };
});

const times = { unknown: [], wrong: [] };
for (const [i, { kind, candidate }] of candidates.entries()) {
  const taken = await time(candidate);
  if (i >= 2 * WARM_UP) times[kind].push(taken);
}

const [a, b] = [times.unknown, times.wrong].map((sample) => {
  const kept = sample.sort((x, y) => x - y).slice(0, Math.floor(sample.length * KEPT));
  const mean = kept.reduce((sum, x) => sum + x, 0) / kept.length;
  const variance = kept.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, size: kept.length };
});
const t = (a.mean - b.mean) / Math.sqrt(a.variance / a.size + b.variance / b.size);
console.log(
  `unknown ${(a.mean / 1e3).toFixed(2)} us, nearly right ${(b.mean / 1e3).toFixed(2)} us, t = ${t.toFixed(2)}`,
);
await app.close();
process.exitCode = Math.abs(t) < 4.5 ? 0 : 1;
