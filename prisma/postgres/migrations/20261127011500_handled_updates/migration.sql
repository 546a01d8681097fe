-- Updates of Telegram that were handled lately: Telegram sends those again whose answer it has not heard.
CREATE TABLE "handled_updates" ("update_id" BIGINT PRIMARY KEY, "at" TIMESTAMPTZ NOT NULL);
CREATE INDEX "handled_updates_at_idx" ON "handled_updates" ("at");
