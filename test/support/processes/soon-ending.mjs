// Preloaded into the built service: sets the sunset of getPet to 60 days from now.
import 'reflect-metadata';
import { GET_PET } from '../../../dist/pets/adapters/http/get-pet.deprecation.js';

GET_PET.sunset = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
