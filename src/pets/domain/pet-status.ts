/** The availability of a pet: the specification's three words. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** The allowed transitions; sold is final. */
const NEXT: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};

export function canTransition(from: PetStatus, to: PetStatus): boolean {
  return NEXT[from].includes(to);
}
