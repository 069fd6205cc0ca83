// npm run test:faults: `--long` selects the long run; other arguments go to vitest.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const long = args.includes('--long') ? { FAULTS_LONG: '1' } : {};
const rest = args.filter((argument) => argument !== '--long');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/faults/vitest.config.ts'];
// Ctrl-C reaches vitest too; this process waits for its final output.
process.on('SIGINT', () => undefined);
const { status } = spawnSync(process.execPath, [...vitest, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, ...long },
});
process.exitCode = status ?? 1;
