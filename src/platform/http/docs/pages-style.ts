/**
 * The style of the pages: the reader's own font, and dark where the reader's system is. Text has a class of
 * its own, because Swagger UI styles the rest of its page itself.
 */
export const PAGES_STYLE = `
:root { color-scheme: light dark; --ink: #1d2329; --paper: #fff; --soft: #5a6572; --line: #d8dee4; --code: #f1f4f7; --link: #0a58ca; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --paper: #15191d; --soft: #9aa7b4; --line: #333c45; --code: #222a31; --link: #79b4ff; }
}
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
nav[aria-label="Documentation"] { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); }
nav[aria-label="Documentation"] a, .text a { color: var(--link); }
.text { max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
.text section { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.text section:target { border-top: 3px solid var(--link); }
.text h1 { line-height: 1.2; }
.text h2 { margin: 0; font-size: 1.15rem; }
.text h2 a { color: inherit; text-decoration: none; }
.text code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--code); font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
.text p { margin: 0.5rem 0; }
.text .aside { color: var(--soft); }
.text .index { columns: 15rem; padding-left: 1.25rem; }
/* Swagger UI forgets these names in its dark mode. */
.dark-mode .swagger-ui table.headers td { color: inherit; }
`;
