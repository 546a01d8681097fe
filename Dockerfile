# syntax=docker/dockerfile:1
# `.ci/container` takes the same steps where no container engine is: one line per RUN and COPY.

FROM node:22-slim AS build
# Only where no prebuilt SQLite can be downloaded is a compiler needed; it stays in this stage.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++
WORKDIR /app
COPY . .
RUN npm ci --omit=dev --no-audit --no-fund
RUN npm run build
# What only these steps need.
RUN npm uninstall --no-save --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund prisma esbuild

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=file:/data/reseller.db
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/src/sandbox/web/page ./src/sandbox/web/page
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Of this user, for a named volume takes its owner from here.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000 8899
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "dist/main.js"]
