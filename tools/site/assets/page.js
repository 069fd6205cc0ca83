/* global document, localStorage, matchMedia, navigator, sessionStorage */

const all = (selector) => [...document.querySelectorAll(selector)];

/** The browser may forbid storage. The page must still be shown. */
function stored(storage, name, value) {
  try {
    if (value !== undefined) storage().setItem(name, value);
    return storage().getItem(name) ?? '';
  } catch {
    return '';
  }
}
const ofBrowser = () => localStorage;
const ofTab = () => sessionStorage;

// Dark or light.
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
const themeSwitch = document.querySelector('.theme');
const showTheme = () => themeSwitch.setAttribute('aria-pressed', String(isDark()));
themeSwitch.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  stored(ofBrowser, 'theme', root.dataset.theme);
  showTheme();
});
system.addEventListener('change', showTheme);
showTheme();

// The reader enters the key once, in any form of any page. This tab keeps it until it is closed.
const keyFields = all('[data-key]');
const showKey = () => keyFields.forEach((field) => (field.value = stored(ofTab, 'api-key')));
for (const field of keyFields)
  field.addEventListener('input', () => {
    stored(ofTab, 'api-key', field.value.trim());
    keyFields.filter((other) => other !== field).forEach((other) => (other.value = field.value));
  });
showKey();

// One language applies to all samples, on all pages.
const languages = all('.languages input');
const showLanguage = (value) =>
  languages.filter((input) => input.value === value).forEach((input) => (input.checked = true));
for (const input of languages)
  input.addEventListener('change', () =>
    showLanguage(stored(ofBrowser, 'language', input.value) || input.value),
  );
showLanguage(stored(ofBrowser, 'language'));

// Samples contain the URL of the service that served the page.
for (const address of all('[data-address]'))
  address.textContent = new URL('..', import.meta.url).href.replace(/\/$/, '');

// A copied sample contains the key of this tab in place of the one that is shown.
async function copy(text) {
  // The clipboard is available only on pages of this machine and on pages that came over TLS.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
for (const block of all('main pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await copy(block.textContent.replaceAll('psk_test_...', stored(ofTab, 'api-key') || 'psk_test_...'));
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const around = document.createElement('div');
  around.className = 'code';
  block.replaceWith(around);
  around.append(block, button);
}

// Scripts that few readers need are loaded on first use.
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { send } = await import('./try-it.js');
  await send(event.target, stored(ofTab, 'api-key'));
});

const search = document.querySelector('.search input');
search.addEventListener('focus', async () => (await import('./search.js')).searchIn(search), { once: true });
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  search.focus();
});

// On a phone the navigation covers the page, so it closes after a link to a place on the same page.
const navigation = document.querySelector('#navigation');
navigation.addEventListener('click', ({ target }) => {
  if (target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover();
});
