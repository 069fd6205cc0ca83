# The image of the service. test/ship/image.test.ts runs these steps, line by line, where there is no engine to build with.

FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e AS build
# Needed if the prebuilt binary of better-sqlite3 cannot be downloaded. It is then compiled.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src src
# The pages of /docs are built from these files. Their links lead to the other files.
COPY tools tools
COPY CHANGELOG.md ./
COPY client/README.md client/
COPY mcp/README.md mcp/operations.js mcp/
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
# The only folder that the service writes to. If DATABASE_URL is set, it writes to no folder.
RUN install -d -o 10001 -g 10001 data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/package.json ./
COPY LICENSE ./
# A number, because Kubernetes cannot see from a name that the user is not root.
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# /livez and not /readyz, because a restart does not help if the database is away.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
CMD ["serve"]
