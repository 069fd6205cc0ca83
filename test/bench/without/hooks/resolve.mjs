// Module customization hooks (node:module, `register`).
let standIns = new Map();

export function initialize(entries) {
  standIns = new Map(entries);
}

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context);
  const standIn = standIns.get(found.url);
  // A stand-in may import what it stands in for.
  return standIn === undefined || standIn === context.parentURL ? found : { ...found, url: standIn };
}
