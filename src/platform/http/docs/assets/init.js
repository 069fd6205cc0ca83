import { layOutJson } from './lay-out-json.js';

/* global SwaggerUIBundle, document, location, matchMedia */

// Whatever addresses the document names, tries go to the service that served the page, which is there for sure.
const servers = [{ url: `${location.origin}/v1`, description: 'The service that served this page' }];
const triesHere = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update({ ...spec, servers }),
      },
    },
  },
};

// Swagger UI shows JSON after a detour through doubles, which rounds long integers: we lay out the text itself.
const showsExactly = {
  wrapComponents: {
    responseBody: (Original, system) => (shown) => {
      const { createElement } = system.React;
      const { content, contentType = '' } = shown;
      if (typeof content !== 'string' || !/json/i.test(contentType)) return createElement(Original, shown);
      let read;
      try {
        read = JSON.parse(content);
      } catch {
        return createElement(Original, shown);
      }
      const options = { language: 'json', downloadable: true, fileName: 'response.json', canCopy: true };
      const code = typeof read?.code === 'string' && typeof read.status === 'number' ? read.code : undefined;
      const explanation = { href: `/docs/errors#${code}`, target: '_blank', rel: 'noopener' };
      return createElement(
        'div',
        null,
        createElement('h5', null, 'Response body'),
        createElement(system.getComponent('HighlightCode', true), options, layOutJson(content)),
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
