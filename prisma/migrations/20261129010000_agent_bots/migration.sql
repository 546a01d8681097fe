-- The bots of agents, and the chats with them (rules 20.1). Chats that there are belong to the shop's bot.
CREATE TABLE "agent_bots" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "agent_id" INTEGER NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "username" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "managed" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL CHECK ("state" IN ('pending', 'active', 'paused', 'halted', 'suspended', 'unauthorized', 'conflict', 'removed')),
    "reason" TEXT NOT NULL DEFAULT '',
    "state_at" DATETIME NOT NULL,
    "claim_hash" TEXT,
    "join_link_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "welcome" TEXT NOT NULL DEFAULT '',
    "support" TEXT NOT NULL DEFAULT '',
    "languages" TEXT NOT NULL DEFAULT '[]' CHECK (json_valid("languages")),
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "agent_bots_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_bots_join_link_id_fkey" FOREIGN KEY ("join_link_id") REFERENCES "join_links" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "agent_bots_agent_id_id_idx" ON "agent_bots"("agent_id", "id");
CREATE INDEX "agent_bots_join_link_id_idx" ON "agent_bots"("join_link_id");

ALTER TABLE "chats" ADD COLUMN "bot_id" BIGINT REFERENCES "agent_bots" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "chats" ADD COLUMN "telegram_id" BIGINT CHECK (("telegram_id" IS NULL) = ("bot_id" IS NULL));
CREATE UNIQUE INDEX "chats_bot_id_telegram_id_key" ON "chats"("bot_id", "telegram_id");
