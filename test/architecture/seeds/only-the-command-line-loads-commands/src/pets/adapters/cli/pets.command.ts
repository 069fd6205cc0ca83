export const petsCommand = 'pets';
