-- Log-ins of those who run the shop outside of Telegram (rules 14.11).
CREATE TABLE "web_log_ins" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "code_hash" TEXT NOT NULL,
    "token_hash" TEXT CHECK (("token_hash" IS NULL) = ("opened_at" IS NULL)),
    "person_id" INTEGER,
    "chat_id" BIGINT,
    "telegram_id" BIGINT,
    "program" TEXT NOT NULL DEFAULT '',
    "expires_at" DATETIME NOT NULL,
    "opened_at" DATETIME,
    "ended_at" DATETIME,
    "created_at" DATETIME NOT NULL
);

CREATE UNIQUE INDEX "web_log_ins_code_hash_key" ON "web_log_ins"("code_hash");
CREATE UNIQUE INDEX "web_log_ins_token_hash_key" ON "web_log_ins"("token_hash");
CREATE INDEX "web_log_ins_chat_id_id_idx" ON "web_log_ins"("chat_id", "id");

-- One more way in which something is done: the table is made anew, because its check names the ways.
CREATE TABLE "new_trail" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "person_id" INTEGER,
    "person" TEXT,
    "via" TEXT NOT NULL CHECK ("via" IN ('shell', 'chat', 'web', 'system')),
    "chat_id" BIGINT,
    "telegram_id" BIGINT,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL COLLATE NOCASE,
    "username" TEXT COLLATE NOCASE,
    "details" TEXT NOT NULL CHECK (json_valid("details")),
    CONSTRAINT "trail_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_trail" ("id", "at", "person_id", "person", "via", "chat_id", "telegram_id", "action", "subject", "username", "details")
SELECT "id", "at", "person_id", "person", "via", "chat_id", "telegram_id", "action", "subject", "username", "details"
FROM "trail" ORDER BY "id";
DROP TABLE "trail";
ALTER TABLE "new_trail" RENAME TO "trail";
CREATE INDEX "trail_person_id_id_idx" ON "trail"("person_id", "id");
CREATE INDEX "trail_action_id_idx" ON "trail"("action", "id");
CREATE INDEX "trail_subject_id_idx" ON "trail"("subject", "id");
CREATE INDEX "trail_username_id_idx" ON "trail"("username", "id") WHERE username IS NOT NULL;
CREATE INDEX "trail_at_idx" ON "trail"("at");
CREATE TRIGGER "trail_no_update" BEFORE UPDATE ON "trail"
BEGIN
    SELECT RAISE(ABORT, 'the trail is never changed');
END;
CREATE TRIGGER "trail_no_delete" BEFORE DELETE ON "trail"
BEGIN
    SELECT RAISE(ABORT, 'the trail is never deleted');
END;
