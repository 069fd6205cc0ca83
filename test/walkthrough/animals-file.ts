const STATUSES = ['available', 'pending', 'sold'];

/** A CSV file with `count` different pets. */
export function animalsFile(count: number): string {
  const lines = ['name,categoryId,status'];
  for (let i = 1; i <= count; i++) lines.push(`Animal ${i},${i % 50},${STATUSES[i % 3]}`);
  return `${lines.join('\n')}\n`;
}
