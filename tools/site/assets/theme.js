/* global document, localStorage */

// This runs before anything is shown, so that no page flashes in the other theme. The browser may forbid storage.
{
  const root = document.documentElement;
  root.classList.add('scripted');
  try {
    const theme = localStorage.getItem('theme');
    if (theme) root.dataset.theme = theme;
  } catch {
    // Without storage, the theme of the system applies.
  }
}
