// Compiles the source and the tools that are written in TypeScript, then runs one of them:
//   node tools/run.js openapi/write
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [tool, ...args] = process.argv.slice(2);
const node = (...words) => spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;

if (node('node_modules/typescript/bin/tsc', '-p', 'tools') !== 0) {
  console.error(
    'The source does not compile, as the compiler says above. Nothing was written; correct it first.',
  );
  process.exit(1);
}
process.exitCode = node(join(import.meta.dirname, 'dist/tools', `${tool}.js`), ...args);
