# The image of the service. test/ship/image.test.ts runs these steps, line by line, where there is no engine to build with.

FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e AS build
# better-sqlite3 compiles itself where its prebuilt binary cannot be downloaded.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src src
# The pages of /docs are built of these; their links lead to the others.
COPY tools tools
COPY CHANGELOG.md ./
COPY client/README.md client/
COPY docs docs
# TypeScript counts as optional, because @nestjs/swagger has a plugin for its compiler. `npm sbom` misses what package.json names.
RUN npm run build && npm prune --omit=dev --omit=optional --workspaces=false && npm pkg delete devDependencies workspaces

FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e
LABEL org.opencontainers.image.title="petstore" \
      org.opencontainers.image.description="An HTTP JSON API for a catalogue of animals" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/petstore.db
WORKDIR /
# All that the service ever writes to, and nothing if it has a DATABASE_URL of its own.
RUN install -d -o 10001 -g 10001 data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/package.json ./
COPY LICENSE ./
# By number, for Kubernetes cannot tell from a name that it is not root.
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# Alive, not ready: a database that is away is no reason to start the service anew.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve"]
