/** Whether an animal can be had: the specification's three words, and nothing else. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** Where an animal may go from each status; sold is final. */
const NEXT: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};

export function mayBecome(from: PetStatus, to: PetStatus): boolean {
  return NEXT[from].includes(to);
}
