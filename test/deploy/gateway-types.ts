// The fields of the Gateway API (standard channel, v1) that deploy/kubernetes uses. The API is not part of Kubernetes' own types.
interface Metadata {
  readonly name: string;
}

interface Listener {
  readonly name: string;
  readonly hostname?: string;
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS' | 'TCP' | 'TLS' | 'UDP';
  readonly tls?: {
    readonly mode?: 'Passthrough' | 'Terminate';
    readonly certificateRefs?: readonly { readonly name: string; readonly namespace?: string }[];
  };
}

export interface Gateway {
  readonly apiVersion: 'gateway.networking.k8s.io/v1';
  readonly kind: 'Gateway';
  readonly metadata: Metadata;
  readonly spec: { readonly gatewayClassName: string; readonly listeners: readonly Listener[] };
}

export interface HTTPRoute {
  readonly apiVersion: 'gateway.networking.k8s.io/v1';
  readonly kind: 'HTTPRoute';
  readonly metadata: Metadata;
  readonly spec: {
    readonly parentRefs: readonly { readonly name: string; readonly sectionName?: string }[];
    readonly hostnames?: readonly string[];
    readonly rules: readonly {
      readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
    }[];
  };
}
