/** What Swagger UI and the browser have that the function below needs; the service itself has none of it. */
interface System {
  readonly React: {
    createElement(type: unknown, properties: object | null, ...children: unknown[]): unknown;
  };
  getComponent(name: string, connected: boolean): unknown;
}
interface ShownBody {
  readonly content: unknown;
  readonly contentType?: string;
}
declare const SwaggerUIBundle: (options: object) => void;
declare const location: { readonly origin: string };
declare const matchMedia: (query: string) => { readonly matches: boolean };
declare const document: { readonly documentElement: { readonly classList: { add(name: string): void } } };

/**
 * Runs in the browser, as the file `/docs/init.js`: it is served as the text of this function, so it uses nothing from
 * outside itself but what the page has.
 */
export function startSwagger(layOut: (json: string) => string): void {
  // Whatever addresses the document names, tries go to the service that served the page, which is there for sure.
  const servers = [{ url: `${location.origin}/v1`, description: 'The service that served this page' }];
  const triesHere = {
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update: (spec: object) => unknown) => (spec: object) =>
            update({ ...spec, servers }),
        },
      },
    },
  };

  // Swagger UI shows JSON after a detour through doubles, which rounds long integers: we lay out the text itself.
  const showsExactly = {
    wrapComponents: {
      responseBody: (Original: unknown, system: System) => (shown: ShownBody) => {
        const { createElement } = system.React;
        const { content, contentType = '' } = shown;
        if (typeof content !== 'string' || !/json/i.test(contentType)) return createElement(Original, shown);
        let read: { code?: unknown; status?: unknown } | null;
        try {
          read = JSON.parse(content);
        } catch {
          return createElement(Original, shown);
        }
        const options = { language: 'json', downloadable: true, fileName: 'response.json', canCopy: true };
        const code =
          typeof read?.code === 'string' && typeof read.status === 'number' ? read.code : undefined;
        const explanation = { href: `/docs/errors#${code}`, target: '_blank', rel: 'noopener' };
        return createElement(
          'div',
          null,
          createElement('h5', null, 'Response body'),
          createElement(system.getComponent('HighlightCode', true), options, layOut(content)),
          code && createElement('p', null, createElement('a', explanation, `What ${code} means`)),
        );
      },
    },
  };

  if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
  SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    // Else it would ask a validator on another host for a badge.
    validatorUrl: null,
    plugins: [triesHere, showsExactly],
  });
}
