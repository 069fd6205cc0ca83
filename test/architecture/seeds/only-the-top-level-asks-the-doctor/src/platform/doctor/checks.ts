export const checkPort = () => [];
