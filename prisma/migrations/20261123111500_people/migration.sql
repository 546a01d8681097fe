-- CreateTable
CREATE TABLE "people" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL COLLATE NOCASE,
    "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'manager', 'support', 'finance')),
    "telegram_id" BIGINT CHECK ("telegram_id" IS NULL OR ("telegram_id" > 0 AND "removed_at" IS NULL)),
    "created_at" DATETIME NOT NULL,
    "removed_at" DATETIME
);

-- CreateTable
CREATE TABLE "trail" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "person_id" INTEGER,
    "person" TEXT,
    "via" TEXT NOT NULL CHECK ("via" IN ('shell', 'chat', 'system')),
    "chat_id" BIGINT,
    "telegram_id" BIGINT,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL COLLATE NOCASE,
    "username" TEXT COLLATE NOCASE,
    "details" TEXT NOT NULL CHECK (json_valid("details")),
    CONSTRAINT "trail_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "people_telegram_id_key" ON "people"("telegram_id");

-- CreateIndex
CREATE UNIQUE INDEX "people_name" ON "people"("name") WHERE removed_at IS NULL;

-- CreateIndex
CREATE INDEX "trail_person_id_id_idx" ON "trail"("person_id", "id");

-- CreateIndex
CREATE INDEX "trail_action_id_idx" ON "trail"("action", "id");

-- CreateIndex
CREATE INDEX "trail_subject_id_idx" ON "trail"("subject", "id");

-- CreateIndex
CREATE INDEX "trail_username_id_idx" ON "trail"("username", "id") WHERE username IS NOT NULL;

-- CreateIndex
CREATE INDEX "trail_at_idx" ON "trail"("at");

-- The trail is append-only.
CREATE TRIGGER "trail_no_update" BEFORE UPDATE ON "trail"
BEGIN
    SELECT RAISE(ABORT, 'the trail is never changed');
END;
CREATE TRIGGER "trail_no_delete" BEFORE DELETE ON "trail"
BEGIN
    SELECT RAISE(ABORT, 'the trail is never deleted');
END;
