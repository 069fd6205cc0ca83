// Compiles the source and the tools that are written in TypeScript, then runs one of the tools: node tools/run.js openapi/write
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const [tool, ...args] = process.argv.slice(2);
process.chdir(resolve(import.meta.dirname, '..'));
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tools'];
const { status, stdout, stderr } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
if (status === 0) {
  const { status: code } = spawnSync(process.execPath, [`tools/dist/tools/${tool}.js`, ...args], {
    stdio: 'inherit',
  });
  process.exitCode = code ?? 1;
} else {
  console.error(`The source does not compile, so nothing was done. Mend this first:\n${stdout}${stderr}`);
  process.exitCode = 1;
}
