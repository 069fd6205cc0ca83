/* global document, localStorage */

// Runs before anything is shown, so that no page flashes in the other theme. Storage may be forbidden.
{
  const root = document.documentElement;
  root.classList.add('scripted');
  try {
    const theme = localStorage.getItem('theme');
    if (theme) root.dataset.theme = theme;
  } catch {
    // The theme of the system, then.
  }
}
