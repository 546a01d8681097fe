-- Several accounts can be logged in at a chat; chats.account_id is the one that acts there.
CREATE TABLE "log_ins" (
    "chat_id" BIGINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "account_version" INTEGER NOT NULL,
    "draft" TEXT,
    "created_at" DATETIME NOT NULL,
    "used_at" DATETIME NOT NULL,
    PRIMARY KEY ("chat_id", "account_id"),
    CONSTRAINT "log_ins_chat_id_fkey" FOREIGN KEY ("chat_id") REFERENCES "chats" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "log_ins_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "log_ins_account_id_idx" ON "log_ins"("account_id");

INSERT INTO "log_ins" ("chat_id", "account_id", "account_version", "created_at", "used_at")
SELECT "id", "account_id", coalesce("account_version", 0), "created_at", "updated_at" FROM "chats" WHERE "account_id" IS NOT NULL;

ALTER TABLE "chats" DROP COLUMN "account_version";
