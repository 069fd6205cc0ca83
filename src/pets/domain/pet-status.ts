/** The availability of a pet, in the three words of the specification. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** The allowed transitions. Sold is final. */
const NEXT: Record<PetStatus, readonly PetStatus[]> = {
  available: ['pending', 'sold'],
  pending: ['available', 'sold'],
  sold: [],
};

export function canTransition(from: PetStatus, to: PetStatus): boolean {
  return NEXT[from].includes(to);
}
