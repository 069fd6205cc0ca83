// npm run test:faults: `--long` selects the long run, `--foreign` only the suites in `foreign`; other arguments go to vitest.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2);
const long = args.includes('--long') ? { FAULTS_LONG: '1' } : {};
const foreign = args.includes('--foreign') ? ['--project', 'foreign'] : [];
const rest = args.filter((argument) => argument !== '--long' && argument !== '--foreign');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/faults/vitest.config.ts'];
// Ctrl-C reaches vitest too; this process waits for its final output.
process.on('SIGINT', () => undefined);
const { status } = spawnSync(process.execPath, [...vitest, ...foreign, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, ...long },
});
process.exitCode = status ?? 1;
