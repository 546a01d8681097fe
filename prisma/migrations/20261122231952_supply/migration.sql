-- Suppliers, their offers and our requests to them; checks and replacements of proxies.
-- CreateTable
CREATE TABLE "supplier_connections" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "driver" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'paused')),
    "rate" BIGINT NOT NULL DEFAULT 1000000 CHECK ("rate" > 0),
    "refund_hours" INTEGER NOT NULL DEFAULT 0,
    "concurrency" INTEGER NOT NULL DEFAULT 4 CHECK ("concurrency" BETWEEN 1 AND 100),
    "balance" BIGINT,
    "balance_at" DATETIME,
    "synced_at" DATETIME,
    "sync_due_at" DATETIME NOT NULL,
    "faults" INTEGER NOT NULL DEFAULT 0,
    "paused_until" DATETIME,
    "last_error" TEXT,
    "alarm_balance" BIGINT NOT NULL DEFAULT 0,
    "alarm_days" INTEGER NOT NULL DEFAULT 3,
    "alarmed" BOOLEAN NOT NULL DEFAULT false,
    "reconciled_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "supplier_offers" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "connection_id" INTEGER NOT NULL,
    "offer_no" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "proxy_type" INTEGER NOT NULL,
    "country_code" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT '',
    "city_code" TEXT NOT NULL DEFAULT '',
    "period_unit" INTEGER NOT NULL,
    "period_length" INTEGER NOT NULL,
    "cost" BIGINT NOT NULL CHECK ("cost" >= 0),
    "stock" INTEGER NOT NULL CHECK ("stock" >= 0),
    "max_count" INTEGER NOT NULL DEFAULT 500,
    "data" TEXT NOT NULL DEFAULT '{}',
    "projects" TEXT NOT NULL DEFAULT '[]',
    "ranges" TEXT NOT NULL DEFAULT '[]',
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "pause_reason" TEXT,
    "seen_at" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "supplier_offers_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "supplier_connections" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "supplier_calls" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "call_no" TEXT NOT NULL CHECK (length("call_no") <= 32),
    "connection_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('open', 'renew', 'release', 'reset')),
    "state" TEXT NOT NULL DEFAULT 'intended' CHECK ("state" IN ('intended', 'sent', 'accepted', 'settled', 'refused', 'in_doubt')),
    "subject" TEXT NOT NULL,
    "order_id" INTEGER NOT NULL,
    "request" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "expected_cost" BIGINT NOT NULL DEFAULT 0,
    "cost" BIGINT,
    "provider_order_no" TEXT,
    "result" TEXT,
    "reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "absent_since" DATETIME,
    "sent_at" DATETIME,
    "next_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "supplier_calls_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "supplier_connections" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "supplier_calls_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "proxy_checks" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "instance_id" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL CHECK ("verdict" IN ('alive', 'dead', 'unknown')),
    "stage" TEXT NOT NULL,
    "reason" TEXT,
    "connect_ms" INTEGER,
    "first_byte_ms" INTEGER,
    "exit_address" TEXT,
    "checked_at" DATETIME NOT NULL,
    CONSTRAINT "proxy_checks_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instances" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "replacements" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "replacement_no" TEXT NOT NULL,
    "instance_id" INTEGER NOT NULL,
    "order_id" INTEGER NOT NULL,
    "caller_id" INTEGER,
    "status" TEXT NOT NULL CHECK ("status" IN ('requested', 'processing', 'done', 'refunded', 'declined')),
    "reason" TEXT NOT NULL DEFAULT '',
    "ground" TEXT NOT NULL,
    "old_ip" TEXT NOT NULL,
    "old_port" INTEGER NOT NULL,
    "old_provider_instance_no" TEXT NOT NULL,
    "new_ip" TEXT,
    "new_port" INTEGER,
    "refund_amount" BIGINT NOT NULL DEFAULT 0 CHECK ("refund_amount" >= 0),
    "cost" BIGINT,
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    CONSTRAINT "replacements_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instances" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "products" ADD COLUMN "margin_bps" INTEGER CHECK ("margin_bps" >= 0);
ALTER TABLE "products" ADD COLUMN "margin_amount" BIGINT CHECK ("margin_amount" >= 0);
ALTER TABLE "products" ADD COLUMN "min_margin_bps" INTEGER NOT NULL DEFAULT 0 CHECK ("min_margin_bps" BETWEEN 0 AND 9999);
ALTER TABLE "products" ADD COLUMN "replace_policy" TEXT NOT NULL DEFAULT 'ask' CHECK ("replace_policy" IN ('auto', 'ask', 'never'));
ALTER TABLE "products" ADD COLUMN "replace_limit" INTEGER NOT NULL DEFAULT 1 CHECK ("replace_limit" >= 0);

-- AlterTable
ALTER TABLE "locations" ADD COLUMN "offer_id" INTEGER REFERENCES "supplier_offers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "locations" ADD COLUMN "margin_bps" INTEGER CHECK ("margin_bps" >= 0);
ALTER TABLE "locations" ADD COLUMN "margin_amount" BIGINT CHECK ("margin_amount" >= 0);
ALTER TABLE "locations" ADD COLUMN "price" BIGINT CHECK ("price" >= 0);
CREATE INDEX "locations_supplied" ON "locations"("offer_id") WHERE offer_id IS NOT NULL;

-- AlterTable
ALTER TABLE "static_orders" ADD COLUMN "location_id" INTEGER REFERENCES "locations" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "static_orders" ADD COLUMN "cost" BIGINT;

-- AlterTable
ALTER TABLE "instances" ADD COLUMN "supplier_expire_time" DATETIME;
ALTER TABLE "instances" ADD COLUMN "cost" BIGINT;
ALTER TABLE "instances" ADD COLUMN "verdict" TEXT CHECK ("verdict" IN ('alive', 'dead', 'unknown'));
ALTER TABLE "instances" ADD COLUMN "failing_since" DATETIME;
ALTER TABLE "instances" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0 CHECK ("failures" >= 0);
ALTER TABLE "instances" ADD COLUMN "next_check_at" DATETIME;
CREATE INDEX "instances_to_check" ON "instances"("next_check_at") WHERE status = 'active' AND next_check_at IS NOT NULL;

-- AlterTable
ALTER TABLE "renewals" ADD COLUMN "status" TEXT NOT NULL DEFAULT 'success' CHECK ("status" IN ('processing', 'success', 'failed'));
ALTER TABLE "renewals" ADD COLUMN "fail_reason" TEXT;
ALTER TABLE "renewals" ADD COLUMN "refunded_amount" BIGINT NOT NULL DEFAULT 0 CHECK ("refunded_amount" BETWEEN 0 AND "amount");
ALTER TABLE "renewals" ADD COLUMN "cost" BIGINT;
ALTER TABLE "renewals" ADD COLUMN "ended_at" DATETIME;
CREATE INDEX "renewals_open" ON "renewals"("order_id") WHERE status = 'processing';

-- AlterTable
ALTER TABLE "renewed_instances" ADD COLUMN "failed" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "supplier_connections_name_key" ON "supplier_connections"("name");

-- CreateIndex
CREATE UNIQUE INDEX "supplier_offers_connection_id_offer_no_key" ON "supplier_offers"("connection_id", "offer_no");

-- CreateIndex
CREATE UNIQUE INDEX "supplier_calls_call_no_key" ON "supplier_calls"("call_no");

-- CreateIndex
CREATE INDEX "supplier_calls_open" ON "supplier_calls"("connection_id", "next_at") WHERE next_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "supplier_calls_subject_idx" ON "supplier_calls"("subject");

-- CreateIndex
CREATE INDEX "supplier_calls_order_id_idx" ON "supplier_calls"("order_id");

-- CreateIndex
CREATE INDEX "supplier_calls_provider_order_no_idx" ON "supplier_calls"("provider_order_no");

-- CreateIndex
CREATE INDEX "supplier_calls_connection_id_created_at_idx" ON "supplier_calls"("connection_id", "created_at");

-- CreateIndex
CREATE INDEX "proxy_checks_instance_id_id_idx" ON "proxy_checks"("instance_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "replacements_replacement_no_key" ON "replacements"("replacement_no");

-- CreateIndex
CREATE INDEX "replacements_instance_id_id_idx" ON "replacements"("instance_id", "id");

-- CreateIndex
CREATE INDEX "replacements_order_id_id_idx" ON "replacements"("order_id", "id");

-- CreateIndex
CREATE INDEX "replacements_old_ip_old_port_idx" ON "replacements"("old_ip", "old_port");

-- CreateIndex
CREATE UNIQUE INDEX "replacements_open" ON "replacements"("instance_id") WHERE status IN ('requested', 'processing');

-- A request has one outcome.
CREATE TRIGGER "supplier_calls_end_once" BEFORE UPDATE OF "state" ON "supplier_calls"
WHEN OLD."state" IN ('settled', 'refused') AND NEW."state" <> OLD."state"
BEGIN
  SELECT RAISE(ABORT, 'a call that has ended does not change');
END;
