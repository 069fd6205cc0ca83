/** An SVG element as text. Undefined attributes are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: string[]
): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(typeof value === 'number' ? tenth(value) : value))}"`)
    .join('');
  return `<${name}${list}>${children.join('')}</${name}>`;
}

export const text = (x: number, y: number, words: string, attributes: Record<string, string> = {}): string =>
  element('text', { x, y, ...attributes }, escaped(words));

export const line = (x1: number, y1: number, x2: number, y2: number, style: string): string =>
  element('line', { x1, y1, x2, y2, class: style });

/** Browsers choose light or dark by the reader's setting, also when the image is embedded in another page. */
const STYLE = `
  svg { font: 12px system-ui, sans-serif; }
  .paper { fill: #ffffff; } text { fill: #1f2328; } .title { font-size: 15px; font-weight: 600; }
  .grid { stroke: #d1d9e0; } .whisker { stroke: #1f2328; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } text { fill: #e6edf3; } .grid { stroke: #30363d; } .whisker { stroke: #e6edf3; }
  }
`;

export function picture(width: number, height: number, title: string, ...children: string[]): string {
  const size = { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title };
  const paper = element('rect', { width, height, class: 'paper' });
  const heading = text(16, 26, title, { class: 'title' });
  const all = [element('style', {}, STYLE), paper, heading, ...children].join('\n');
  return `${element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size }, `\n${all}\n`)}\n`;
}

const escaped = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const tenth = (value: number) => Math.round(value * 10) / 10;
