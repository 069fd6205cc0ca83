import { fileURLToPath } from 'node:url';
import { releaseChanges } from '../openapi/release-changes.js';
import { html } from './markup.js';
import { BadSource } from './sources.js';

/**
 * The changes of each version in the OpenAPI document, as HTML and as Markdown, by version. Changes since the last version are in
 * `unreleased`. @throws BadSource
 */
export function changesByVersion(root) {
  const changes = released(root).map(({ version, added, changed, removed }) => {
    const whole = (verb, operations) =>
      operations.map(({ address, operationId, summary }) => ({ verb, address, operationId, what: summary }));
    const lines = [
      ...whole('added', added),
      ...changed.map(({ operations, what }) => ({
        verb: 'changed',
        operationId: operations.join(', '),
        what: `${what.join('; ')}.`,
      })),
      ...whole('removed', removed),
    ];
    return [version, lines];
  });
  const told = changes.filter(([, lines]) => lines.length > 0);
  return new Map(
    told.map(([version, lines]) => [version, { html: inHtml(lines), markdown: inMarkdown(lines) }]),
  );
}

function released(root) {
  try {
    return releaseChanges(fileURLToPath(root));
  } catch (error) {
    throw new BadSource(error.message);
  }
}

const inHtml = (lines) =>
  html`<details class="errors">
    <summary>Operations</summary>
    <dl class="fields">
      ${lines.map(
        ({ verb, address, operationId, what }) =>
          html`<dt>
              ${verb} ${address ? html`<code>${address}</code> ` : ''}<span class="aside"
                >${operationId}</span
              >
            </dt>
            <dd>${what}</dd>`,
      )}
    </dl>
  </details>`;

const inMarkdown = (lines) => {
  const items = lines.map(
    ({ verb, address, operationId, what }) =>
      `- ${verb} ${address ? `\`${address}\` (${operationId})` : operationId}: ${what}`,
  );
  return `\n\nOperations:\n\n${items.join('\n')}`;
};
