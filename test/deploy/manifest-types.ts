import { join } from 'node:path';
import ts from 'typescript';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The path that the compiler is given for the manifest, so that it finds the types. */
const FILE = join(import.meta.dirname, 'manifest.ts');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2023,
  types: [],
};

/** The libraries and the API types, parsed once; only the manifest differs between calls. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Checks manifests against the types of the Kubernetes API (1.30), of the Gateway API, or of the Prometheus operator, as literals of their kinds: the
 * compiler rejects unknown fields, values of another type, and missing fields. It cannot tell integers from fractions.
 */
export function mistakesIn(...manifests: Manifest[]): string[] {
  const source = manifests.map(({ apiVersion, kind, ...fields }, i) => {
    // "v1" is core/v1, "networking.k8s.io/v1" is networking/v1.
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
    const [type, module] =
      group === 'monitoring.coreos.com'
        ? [`I${kind}`, `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`]
        : group === 'gateway.networking.k8s.io'
          ? [kind, './gateway-types']
          : [kind, `kubernetes-types/${group!.split('.')[0]}/${version}`];
    const literal = JSON.stringify({ apiVersion, kind, ...fields });
    return `import type { ${type} as Kind${i} } from '${module}';\nexport const manifest${i}: Kind${i} = ${literal};\n`;
  });

  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (name, target, ...more) => {
    if (name === FILE) return ts.createSourceFile(name, source.join(''), target);
    if (!parsed.has(name)) parsed.set(name, getSourceFile.call(host, name, target, ...more));
    return parsed.get(name);
  };
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
