import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';
import { programPath } from '../../support/processes/local-program.js';
import { nodeOf, type NodeVersion } from './node-version.js';

/** A built image: its files and how it is run. */
export interface Image {
  /** The folder that is `/` in the image, without the contents of the base image. */
  readonly root: string;
  /** The programs of the base image. */
  readonly node: NodeVersion;
  readonly env: Record<string, string>;
  cwd: string;
  user: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** From this process's environment the steps get only what the machine's npm needs. */
const { HOME = '' } = process.env;

/**
 * Builds a Dockerfile without a container engine: each stage is a folder, each RUN runs in it with the Node that the stage begins
 * from and otherwise the machine's own programs, and the packages that a stage installs must exist on the machine.
 * @returns the last stage
 */
export function buildImage(context: string, folder: string): Image {
  const stages = new Map<string, Image>();
  let image!: Image;
  const inImage = (path: string, of = image) => join(of.root, resolve(of.cwd, path));

  const steps: Record<string, (step: Instruction) => void> = {
    FROM(step) {
      const name = (step as From).getBuildStage() ?? 'image';
      const root = join(folder, name);
      mkdirSync(root, { recursive: true });
      const [major] = (step as From).getImageTag()!.split('-');
      image = {
        root,
        node: nodeOf(major!),
        env: {},
        cwd: '/',
        user: '0:0',
        entrypoint: [],
        command: [],
        healthcheck: [],
      };
      stages.set(name, image);
    },
    ENV(step) {
      for (const property of (step as Env).getProperties())
        image.env[property.getName()] = property.getValue()!;
    },
    WORKDIR(step) {
      image.cwd = resolve(image.cwd, wordsOf(step)[0]!);
      mkdirSync(inImage('.'), { recursive: true });
    },
    COPY(step) {
      const from = stages.get((step as Copy).getFromFlag()?.getValue() ?? '');
      const [target, ...sources] = wordsOf(step).toReversed();
      for (const source of sources) {
        const path = from ? inImage(source, from) : join(context, source);
        const isFolder = statSync(path).isDirectory();
        const into = !isFolder && (target!.endsWith('/') || sources.length > 1);
        const options = { recursive: true, verbatimSymlinks: true };
        cpSync(path, inImage(into ? join(target!, basename(source)) : target!), options);
      }
    },
    RUN(step) {
      const words = wordsOf(step);
      if (words[0] === 'apt-get') {
        const missing = words
          .slice(words.indexOf('--no-install-recommends') + 1)
          .filter((w) => !programPath(w));
        if (missing.length > 0) throw new Error(`The machine lacks ${missing.join(', ')}`);
        return;
      }
      const env = { HOME, ...image.node.environment, ...image.env };
      // The output of a step matters only if it fails; the error then contains it.
      execFileSync('sh', ['-c', step.getArgumentsContent()!], { cwd: inImage('.'), env, stdio: 'pipe' });
    },
    USER: (step) => void (image.user = wordsOf(step)[0]!),
    ENTRYPOINT: (step) => void (image.entrypoint = stringsOf(step)),
    CMD: (step) => void (image.command = stringsOf(step)),
    HEALTHCHECK(step) {
      const [, command] = /CMD\s+(\[.*\])$/s.exec(step.getArgumentsContent()!)!;
      image.healthcheck = JSON.parse(command!) as string[];
    },
    LABEL: () => undefined,
    EXPOSE: () => undefined,
    STOPSIGNAL: () => undefined,
  };
  const text = readFileSync(join(context, 'Dockerfile'), 'utf8');
  for (const step of DockerfileParser.parse(text).getInstructions()) steps[step.getKeyword()]!(step);
  chownSync(image.root, 0, 0);
  return image;
}

const wordsOf = (step: Instruction) => step.getArguments().map((word) => word.getValue());
const stringsOf = (step: Instruction) =>
  (step as JSONInstruction).getJSONStrings().map((word) => word.getJSONValue());
