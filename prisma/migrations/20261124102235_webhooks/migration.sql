-- Webhooks of accounts, and what was and is to be delivered to them.
CREATE TABLE "webhooks" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "account_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "old_secret" TEXT,
    "old_secret_until" DATETIME,
    "status" TEXT NOT NULL DEFAULT 'active',
    "failing_since" DATETIME,
    "delivered_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "webhooks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (json_valid("events") AND json_array_length("events") > 0),
    CHECK ("status" IN ('active', 'off', 'failing', 'gone', 'deleted')),
    CHECK (("old_secret" IS NULL) = ("old_secret_until" IS NULL))
);

CREATE TABLE "webhook_deliveries" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "webhook_id" INTEGER NOT NULL,
    "message_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "key" TEXT,
    "facts" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" DATETIME,
    "response_status" INTEGER,
    "error" TEXT,
    "duration_ms" INTEGER,
    "attempted_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (json_valid("facts")),
    CHECK ("status" IN ('waiting', 'delivered', 'failed')),
    CHECK ("attempts" >= 0),
    CHECK ("next_at" IS NULL OR "status" = 'waiting')
);

CREATE INDEX "webhooks_account_id_id_idx" ON "webhooks"("account_id", "id");

CREATE INDEX "webhooks_deleted" ON "webhooks"("id") WHERE status = 'deleted';

CREATE INDEX "webhook_deliveries_webhook_id_id_idx" ON "webhook_deliveries"("webhook_id", "id");

CREATE INDEX "webhook_deliveries_webhook_id_status_id_idx" ON "webhook_deliveries"("webhook_id", "status", "id");

CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries"("webhook_id", "next_at", "id") WHERE status = 'waiting' AND next_at IS NOT NULL;

CREATE INDEX "webhook_deliveries_in_order" ON "webhook_deliveries"("webhook_id", "subject", "id") WHERE status = 'waiting';

CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_message_id_key" ON "webhook_deliveries"("webhook_id", "message_id");

CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_key_key" ON "webhook_deliveries"("webhook_id", "key");
