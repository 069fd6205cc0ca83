import { checkPort } from '../doctor/checks.js';

export const isHealthy = () => checkPort().length === 0;
