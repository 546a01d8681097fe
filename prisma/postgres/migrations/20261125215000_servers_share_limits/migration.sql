-- What several servers share, as in the baseline.
-- Servers that are alive, by when each of them said so.
CREATE TABLE "servers" ("id" TEXT PRIMARY KEY, "seen" TIMESTAMPTZ NOT NULL);
-- Log-ins that have failed or have not ended; times in milliseconds since 1970.
CREATE TABLE "log_in_attempts" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "username" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "at" BIGINT NOT NULL,
    "failed" BOOLEAN NOT NULL
);
CREATE INDEX "log_in_attempts_username_idx" ON "log_in_attempts" ("username", "at");
CREATE INDEX "log_in_attempts_network_idx" ON "log_in_attempts" ("network", "at");
CREATE INDEX "log_in_attempts_at_idx" ON "log_in_attempts" ("at");
