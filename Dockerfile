# Not built where it was written: no container engine was at hand (docs/operations.md).
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/tools/package.json packages/tools/
COPY packages/sdk/package.json packages/sdk/
COPY patches patches
RUN npm ci --workspace=packages/sdk --include-workspace-root --no-audit --no-fund
COPY . .
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
RUN npm run build \
  && npm prune --omit=dev --workspaces=false --include-workspace-root --ignore-scripts --no-audit --no-fund

# Everything is configured by the environment; nothing secret is in the image.
FROM node:26-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app .
RUN mkdir -p .next/cache && chown -R node:node .next/cache
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-old-space-size=400", "--max-semi-space-size=32", "dist/server.mjs"]
