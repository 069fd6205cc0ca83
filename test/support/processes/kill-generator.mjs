// Preloaded by a test: kills the generator, with SIGKILL, just before a certain call of node:fs or node:child_process.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [name, call, whom] = (process.env.KILL_BEFORE ?? '').split(' ');
if (process.argv[1]?.endsWith('generate.js')) {
  const functions = name in fs ? fs : childProcess;
  const real = functions[name];
  let calls = 0;
  functions[name] = (...args) => {
    calls += 1;
    if (calls === Number(call)) {
      if (whom !== 'work') process.kill(process.ppid, 'SIGKILL');
      if (whom !== 'starter') process.kill(process.pid, 'SIGKILL');
    }
    return real(...args);
  };
  syncBuiltinESMExports();
}
