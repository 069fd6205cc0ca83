// Bundles the packages that `dist` imports into `dist-bundled`, where its modules stay separate files; likewise `job-service`.
// Node.js reads one file instead of 2,800, which saves more than a third of the CPU time of a start. Only tests use the bundle;
// what users start is covered by the tests of `npm start`, of faults, of the package and of the image.
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '../../..');
const from = join(root, 'dist');
const to = join(root, 'dist-bundled');

/** Packages that are not bundled: a native addon, and a package that must run first. */
const KEPT = ['better-sqlite3', 'reflect-metadata'];
/** Optional packages that Nest tries to load and this service does not install. */
const ABSENT = ['@fastify/static', '@nestjs/microservices', '@nestjs/websockets'];

const isOf = (names) => (id) => names.some((name) => id === name || id.startsWith(`${name}/`));

/** @nestjs/typeorm creates its own `require`, which would load TypeORM from disk a second time. */
const typeOrmOnce = {
  name: 'typeorm-once',
  transform: (code, id) =>
    id.endsWith('/typeorm-compat.js')
      ? code.replace('const require = createRequire(import.meta.url);', '')
      : undefined,
};

// The pages are served from `dist`, whose scripts are for browsers.
const modules = readdirSync(from, { recursive: true }).filter(
  (path) => path.endsWith('.js') && !path.startsWith('site/'),
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
  // Class names appear in logs.
  keepNames: true,
  minify: { compress: false, mangle: false, codegen: true },
  codeSplitting: {
    groups: [{ name: 'packages', test: /node_modules/, includeDependenciesRecursively: false }],
  },
});
