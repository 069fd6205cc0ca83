// Loaded into the service before its main script (`node --import`): SIGURG starts a CPU profile, a second SIGURG writes it
// to PROFILE_FILE. The profile thus covers the load only, without start and warm-up.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const { PROFILE_FILE } = process.env;
const SAMPLE_EVERY_MICROSECONDS = 200;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MICROSECONDS });

async function end() {
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(PROFILE_FILE, JSON.stringify(profile));
  process.stdout.write('profile written\n');
}

process.once('SIGURG', () => {
  process.once('SIGURG', end);
  session.post('Profiler.start');
});
