// Prints a CPU profile (self time) of the service, or a peer, under the load of one scenario.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfileOptions } from './command/options.js';
import { PLACES } from './command/places.js';
import { runProgram } from './command/program.js';
import { type CpuProfile, selfTimes } from './figures/self-time.js';
import { tableOf } from './figures/tables.js';
import { fillTable } from './servers/database.js';
import { RunningServer } from './servers/running-server.js';
import { CONTENDERS, environmentOf } from './servers/servers.js';

const SHOWN = 40;
const WARM_UP_SECONDS = 3;
const options = readProfileOptions(process.argv.slice(2));

// Before the program has its temporary folder, which is removed.
const temporary = tmpdir();

await runProgram(async (folder, signal) => {
  const profile = await record(folder, signal);
  print(JSON.parse(profile) as CpuProfile);
  const out = await mkdtemp(join(temporary, 'petstore-profile-'));
  const file = join(out, `${options.server}-${options.scenario}.cpuprofile`);
  await writeFile(file, profile);
  process.stdout.write(`For Chrome's DevTools or speedscope.app: ${file}\n`);
  return true;
});

/** @returns the profile as JSON text */
async function record(folder: string, signal: AbortSignal): Promise<string> {
  const { server: name, scenario, connections, seconds, env } = options;
  const { database, key: benchKey, traffic } = await fillTable(join(folder, 'table'), options);
  try {
    const { script, paging } = CONTENDERS[name];
    const made = await traffic.of(scenario, paging);
    const own = { PROFILE_FILE: join(folder, 'profile') };
    const environment = { ...environmentOf(name, database.url, benchKey, env), ...own };
    const { secret: key } = benchKey;
    const nodeArgs = ['--import', PLACES.profiler];
    const server = await RunningServer.start({ script, key, environment, nodeArgs }, signal);
    try {
      await server.measure(made, { connections, seconds: WARM_UP_SECONDS }, signal);
      process.kill(server.program.pid, 'SIGURG');
      const { requestsPerSecond, faults } = await server.measure(made, { connections, seconds }, signal);
      process.kill(server.program.pid, 'SIGURG');
      await server.program.printed(/profile written/);
      process.stdout.write(
        `${name}, ${scenario}, ${connections} connections: ${Math.round(requestsPerSecond)}/s while profiled ${faults.join(', ')}\n`,
      );
      return await readFile(join(folder, 'profile'), 'utf8');
    } finally {
      await server.stop();
    }
  } finally {
    await database.stop();
  }
}

function print(profile: CpuProfile): void {
  const { functions, packages, idle } = selfTimes(profile);
  const shares = {
    function: functions.slice(0, SHOWN),
    package: packages.filter(([share]) => share >= 0.001),
  };
  for (const [what, rows] of Object.entries(shares)) {
    const table = tableOf(`self %  ${what}`);
    for (const [share, word] of rows) table.push([percent(share), word]);
    process.stdout.write(`${table}\n`);
  }
  process.stdout.write(`Shares of the time that it was busy; idle ${percent(idle)} %.\n`);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
