-- The bots of agents, and the chats with them (rules 20.1). Chats that there are belong to the shop's bot.
CREATE TABLE "agent_bots" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "agent_id" BIGINT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "managed" BOOLEAN NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL CHECK ("state" IN ('pending', 'active', 'paused', 'halted', 'suspended', 'unauthorized', 'conflict', 'removed')),
    "reason" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "state_at" TEXT COLLATE "C" NOT NULL,
    "claim_hash" TEXT COLLATE "C",
    "join_link_id" BIGINT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "welcome" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "support" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "languages" TEXT COLLATE "C" NOT NULL DEFAULT '[]' CHECK (jsonb_typeof("languages"::jsonb) = 'array'),
    "created_at" TEXT COLLATE "C" NOT NULL,
    CONSTRAINT "agent_bots_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_bots_join_link_id_fkey" FOREIGN KEY ("join_link_id") REFERENCES "join_links" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "agent_bots_agent_id_id_idx" ON "agent_bots"("agent_id", "id");
CREATE INDEX "agent_bots_join_link_id_idx" ON "agent_bots"("join_link_id");

ALTER TABLE "chats" ADD COLUMN "bot_id" BIGINT;
ALTER TABLE "chats" ADD COLUMN "telegram_id" BIGINT;
-- contract: the version before writes neither column
ALTER TABLE "chats" ADD CONSTRAINT "chats_bot_id_fkey" FOREIGN KEY ("bot_id") REFERENCES "agent_bots" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- contract: the version before writes neither column
ALTER TABLE "chats" ADD CONSTRAINT "chats_telegram_id_check" CHECK (("telegram_id" IS NULL) = ("bot_id" IS NULL));
-- contract: the version before leaves both empty, and NULLs are distinct
CREATE UNIQUE INDEX "chats_bot_id_telegram_id_key" ON "chats"("bot_id", "telegram_id");

-- Updates of several bots; 0 is the shop's, whose updates the version before keeps without it.
ALTER TABLE "inbox_updates" ADD COLUMN "bot_id" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "handled_updates" ADD COLUMN "bot_id" BIGINT NOT NULL DEFAULT 0;
-- contract: the version before inserts with ON CONFLICT DO NOTHING, which needs no name of a key
ALTER TABLE "inbox_updates" DROP CONSTRAINT "inbox_updates_pkey", ADD PRIMARY KEY ("bot_id", "update_id");
-- contract: the version before inserts with ON CONFLICT DO NOTHING, which needs no name of a key
ALTER TABLE "handled_updates" DROP CONSTRAINT "handled_updates_pkey", ADD PRIMARY KEY ("bot_id", "update_id");
