-- Which languages there are is no matter of the database: a further one needs no migration. The table is made anew without its check.
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_broadcasts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chat_id" BIGINT NOT NULL,
    "sender_id" INTEGER,
    "audience" TEXT NOT NULL,
    "agent_id" INTEGER,
    "user_ids" TEXT,
    "language" TEXT,
    "text" TEXT NOT NULL,
    "entities" TEXT NOT NULL DEFAULT '[]',
    "photo" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "created_at" DATETIME NOT NULL,
    "start_at" DATETIME,
    "ended_at" DATETIME,
    CHECK ("audience" IN ('all', 'agents', 'users', 'sub_users', 'with_proxies', 'with_traffic', 'short', 'idle', 'picked')),
    CHECK (("agent_id" IS NOT NULL) = ("audience" IN ('sub_users', 'picked'))),
    CHECK (("user_ids" IS NOT NULL) = ("audience" = 'picked')),
    CHECK ("sender_id" IS NULL OR "sender_id" = "agent_id"),
    CHECK ("status" IN ('draft', 'scheduled', 'sending', 'cancelled', 'done')),
    CHECK ("status" NOT IN ('scheduled', 'sending', 'done') OR "start_at" IS NOT NULL),
    CONSTRAINT "broadcasts_sender_id_fkey" FOREIGN KEY ("sender_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "broadcasts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_broadcasts" (
    "id", "chat_id", "sender_id", "audience", "agent_id", "user_ids", "language", "text", "entities", "photo", "status",
    "created_at", "start_at", "ended_at")
SELECT
    "id", "chat_id", "sender_id", "audience", "agent_id", "user_ids", "language", "text", "entities", "photo", "status",
    "created_at", "start_at", "ended_at"
FROM "broadcasts";
DROP TABLE "broadcasts";
ALTER TABLE "new_broadcasts" RENAME TO "broadcasts";
CREATE INDEX "broadcasts_sender_id_start_at_idx" ON "broadcasts"("sender_id", "start_at");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
