export default {
  petstore: {
    input: 'openapi.json',
    output: { target: 'generated/orval.ts', client: 'fetch', baseUrl: process.env.PETSTORE_URL },
  },
};
