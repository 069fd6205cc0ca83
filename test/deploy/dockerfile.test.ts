import { join } from 'node:path';
import { type Copy, DockerfileParser, type Env, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { VARIABLE_NAMES } from '../../src/platform/config/settings.js';
import { readText } from '../support/read-text.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readText(join(ROOT, file));
const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const instructions = dockerfile.getInstructions();
const called = (keyword: string) =>
  instructions.filter((instruction) => instruction.getKeyword() === keyword);
const last = (keyword: string) => called(keyword).at(-1)!;

describe('The Dockerfile', () => {
  it('is valid', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('names one base image by tag and digest, from the registry that the engine is set to', () => {
    const bases = dockerfile.getFROMs();
    expect(bases.map((from) => [from.getRegistry(), from.getImageName(), from.getImageTag()])).toEqual(
      bases.map(() => [null, 'node', expect.stringMatching(/^\d+-\w+-slim$/)]),
    );
    const digests = bases.map((from) => from.getImageDigest());
    expect([new Set(digests).size, digests[0]]).toEqual([1, expect.stringMatching(/^sha256:[\da-f]{64}$/)]);
  });

  it('has the Node.js version that CI tests and that the documents name', () => {
    const versions = new Set(dockerfile.getFROMs().map((from) => from.getImageTag()!.split('-')[0]));
    expect(versions.size).toBe(1);
    const [version] = versions;
    for (const file of ['README.md', 'docs/dependencies.md', 'docs/operations.md'])
      expect(read(file)).toContain(`Node.js ${version}`);
    expect(read('.github/workflows/ci.yml')).toContain(`node: [20, ${version}]`);
    expect(read('.ci/run')).toContain(`npm run test:node -- ${version} `);
  });

  it('receives exactly the files that it copies', () => {
    const copied = (called('COPY') as Copy[])
      .filter((copy) => copy.getFromFlag() === null)
      .flatMap((copy) => copy.getArguments().slice(0, -1))
      .map((argument) => argument.getValue());
    const [first, ...letIn] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(letIn.toSorted()).toEqual([...new Set(copied)].map((file) => `!${file}`).toSorted());
  });

  it('runs the service as a numbered user who is not root, and without a shell, so that signals reach it', () => {
    expect(last('USER').getArgumentsContent()).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    for (const keyword of ['ENTRYPOINT', 'CMD']) {
      expect((last(keyword) as JSONInstruction).getJSONStrings().length).toBeGreaterThan(0);
    }
    expect(last('STOPSIGNAL').getArgumentsContent()).toBe('SIGTERM');
  });

  it('sets only variables that the service reads', () => {
    const names = (called('ENV') as Env[]).flatMap((env) => env.getProperties()).map((one) => one.getName());
    expect(names.filter((name) => !VARIABLE_NAMES.includes(name))).toEqual([]);
  });
});
