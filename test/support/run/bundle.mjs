// Bundles the packages that `dist` imports, beside its modules as they are, into `dist-bundled`, and so a service with a job of its own:
// Node.js reads one file in place of 2,800, which spares more than a third of the processor time of a start. Only tests use it; what users
// start is tested by those of `npm start`, of faults, of the package and of the image.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '../../..');
const from = join(root, 'dist');
const to = join(root, 'dist-bundled');

/** Packages that are read from the disk: an addon, pages, and what must run first. */
const KEPT = ['better-sqlite3', 'swagger-ui-dist', '@scalar/api-reference', 'reflect-metadata'];
/** Packages of Nest that this service does not have, and Nest asks for. */
const ABSENT = ['@fastify/static', '@nestjs/microservices', '@nestjs/websockets'];

const isOf = (names) => (id) => names.some((name) => id === name || id.startsWith(`${name}/`));
const isAsset = (path) => path.includes('/assets/');

/** @nestjs/typeorm makes a `require` of its own, which would read TypeORM from the disk a second time. */
const typeOrmOnce = {
  name: 'typeorm-once',
  transform: (code, id) =>
    id.endsWith('/typeorm-compat.js')
      ? code.replace('const require = createRequire(import.meta.url);', '')
      : undefined,
};

const modules = readdirSync(from, { recursive: true }).filter(
  (path) => path.endsWith('.js') && !isAsset(path),
);
const bundle = await rolldown({
  input: {
    ...Object.fromEntries(modules.map((path) => [path.slice(0, -'.js'.length), join(from, path)])),
    'job-service': join(import.meta.dirname, '../processes/job-service.mjs'),
  },
  platform: 'node',
  plugins: [typeOrmOnce],
  preserveEntrySignatures: 'allow-extension',
  external: isOf([...KEPT, ...ABSENT]),
});
rmSync(to, { recursive: true, force: true });
await bundle.write({
  dir: to,
  entryFileNames: '[name].js',
  chunkFileNames: 'packages/[name].js',
  // Names of classes stand in logs.
  keepNames: true,
  minify: { compress: false, mangle: false, codegen: true },
  codeSplitting: {
    groups: [{ name: 'packages', test: /node_modules/, includeDependenciesRecursively: false }],
  },
});
cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.js') || isAsset(path) });
