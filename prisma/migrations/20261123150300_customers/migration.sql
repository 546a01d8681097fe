-- Operators find a chat by the name of the person, and move users to other agents.
ALTER TABLE "chats" ADD COLUMN "telegram_name" TEXT;

ALTER TABLE "chats" ADD COLUMN "person_name" TEXT;

CREATE INDEX "chats_telegram_name_idx" ON "chats"("telegram_name") WHERE telegram_name IS NOT NULL;

CREATE TABLE "agent_moves" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "account_id" INTEGER NOT NULL,
    "from_agent_id" INTEGER,
    "to_agent_id" INTEGER,
    "last_entry_id" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    CHECK (coalesce("from_agent_id", 0) <> coalesce("to_agent_id", 0)),
    CONSTRAINT "agent_moves_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_moves_from_agent_id_fkey" FOREIGN KEY ("from_agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "agent_moves_to_agent_id_fkey" FOREIGN KEY ("to_agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "agent_moves_account_id_id_idx" ON "agent_moves"("account_id", "id");
