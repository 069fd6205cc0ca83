// Module customization hooks (node:module, `register`).
let standIns = new Map();

export function initialize(entries) {
  standIns = new Map(entries);
}

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context);
  const standIn = standIns.get(found.url);
  // A replacement may import the module that it replaces.
  return standIn === undefined || standIn === context.parentURL ? found : { ...found, url: standIn };
}
