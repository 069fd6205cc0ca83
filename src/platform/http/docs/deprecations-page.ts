import { Injectable } from '@nestjs/common';
import { DeprecationPolicy } from '../deprecation/deprecation.js';
import { Links } from '../links.js';
import { type DeprecatedOperation, DeprecatedOperations } from '../deprecation/deprecated-operations.js';
import { html, prose } from './html.js';
import { page } from './page.js';

/** Explains what is deprecated, until when it works, and how to move; the notices' `Link` headers lead to it. */
@Injectable()
export class DeprecationsPage {
  constructor(
    private readonly deprecated: DeprecatedOperations,
    private readonly policy: DeprecationPolicy,
    private readonly links: Links,
  ) {}

  text(): string {
    const operations = this.deprecated.all();
    return page({
      title: 'Deprecations',
      content: html`<main class="text">
        <h1>Deprecations</h1>
        <p>
          ${
            operations.length > 0
              ? 'These operations will be removed. Each of their answers says so in its headers.'
              : 'Nothing is deprecated.'
          }
        </p>
        ${operations.map((operation) => this.#section(operation))}
      </main>`,
    });
  }

  #section({ name, method, path, description, deprecation }: DeprecatedOperation) {
    const { since, sunset, successor } = deprecation;
    const end = html`<time datetime="${sunset}">${sunset}</time>`;
    const ending = this.policy.isGone(deprecation)
      ? html`It was due to be removed on ${end}, and has been removed.`
      : html`It will be removed on ${end}, at midnight UTC.`;
    return html`<section id="${name}">
      <h2><a href="#${name}">${name}</a></h2>
      <p><code>${method} ${this.links.to(path)}</code></p>
      <p>
        Deprecated since <time datetime="${since}">${since}</time>. ${ending} A removed operation answers
        <a href="/docs/errors#operation_removed">operation_removed</a>.
      </p>
      <p>${prose(description)}</p>
      <p>
        Its successor is <code>GET ${this.links.to(successor().path)}</code>. The header <code>Link</code> of
        each answer leads there with <code>rel="successor-version"</code>; where the operation found
        something, the link leads to the list that holds just that. Follow it unchanged.
      </p>
    </section> `;
  }
}
