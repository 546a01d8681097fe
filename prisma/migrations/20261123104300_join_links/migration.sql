-- CreateTable
CREATE TABLE "join_links" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "token_hash" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "trial" BIGINT NOT NULL DEFAULT 0,
    "budget" BIGINT,
    "spent" BIGINT NOT NULL DEFAULT 0,
    "uses" INTEGER NOT NULL DEFAULT 0,
    "max_uses" INTEGER,
    "expires_at" DATETIME,
    "revoked_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "join_links_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("trial") = 'integer' AND "trial" BETWEEN 0 AND 9000000000000000),
    CHECK ("budget" IS NULL OR (typeof("budget") = 'integer' AND "budget" BETWEEN 0 AND 9000000000000000)),
    CHECK (typeof("spent") = 'integer' AND "spent" BETWEEN 0 AND coalesce("budget", 9000000000000000)),
    CHECK ("uses" BETWEEN 0 AND coalesce("max_uses", "uses"))
);

-- CreateTable
CREATE TABLE "joined" (
    "account_id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "link_id" INTEGER NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "trial" BIGINT NOT NULL DEFAULT 0,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "joined_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "joined_link_id_fkey" FOREIGN KEY ("link_id") REFERENCES "join_links" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("trial") = 'integer' AND "trial" BETWEEN 0 AND 9000000000000000)
);

-- CreateIndex
CREATE UNIQUE INDEX "join_links_token_hash_key" ON "join_links"("token_hash");

-- CreateIndex
CREATE INDEX "join_links_agent_id_id_idx" ON "join_links"("agent_id", "id");

-- CreateIndex
CREATE INDEX "joined_chat_id_created_at_idx" ON "joined"("chat_id", "created_at");

-- CreateIndex
CREATE INDEX "joined_link_id_idx" ON "joined"("link_id");

-- CreateIndex
CREATE UNIQUE INDEX "joined_one_trial" ON "joined"("chat_id") WHERE trial > 0;
