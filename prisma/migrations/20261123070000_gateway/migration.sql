-- The gateway: what it is told, what it has reported, and where its traffic leaves.
-- CreateTable
CREATE TABLE "usage_targets" (
    "traffic_id" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    PRIMARY KEY ("traffic_id", "day", "host"),
    CONSTRAINT "usage_targets_traffic_id_fkey" FOREIGN KEY ("traffic_id") REFERENCES "traffic" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("bytes") = 'integer' AND "bytes" BETWEEN 0 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "allowed_addresses" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "traffic_id" INTEGER NOT NULL,
    "cidr" TEXT NOT NULL,
    "low" TEXT NOT NULL CHECK (length("low") = 32),
    "high" TEXT NOT NULL CHECK (length("high") = 32),
    "country" TEXT,
    "session" TEXT,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "allowed_addresses_traffic_id_fkey" FOREIGN KEY ("traffic_id") REFERENCES "traffic" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("low" <= "high")
);

-- CreateTable
CREATE TABLE "exits" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "pool" TEXT NOT NULL CHECK ("pool" IN ('dynamic_1', 'dynamic_2', 'dynamic_3')),
    "kind" TEXT NOT NULL CHECK ("kind" IN ('direct', 'proxy', 'vendor')),
    "address" TEXT,
    "credentials" TEXT,
    "country" TEXT,
    "city" TEXT,
    "template" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'paused')),
    "healthy" BOOLEAN,
    "reason" TEXT,
    "connect_ms" INTEGER,
    "reported_at" DATETIME,
    "connections" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "errors" BIGINT NOT NULL DEFAULT 0,
    "created_at" DATETIME NOT NULL,
    CHECK (("kind" = 'direct') = ("address" IS NULL)),
    CHECK (("kind" = 'vendor') = ("template" IS NOT NULL))
);

-- CreateTable
CREATE TABLE "gateways" (
    "gateway_id" TEXT NOT NULL PRIMARY KEY,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "called_at" DATETIME NOT NULL,
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "started_at" DATETIME,
    "workers" INTEGER NOT NULL DEFAULT 0,
    "connections" INTEGER NOT NULL DEFAULT 0,
    "accepted" BIGINT NOT NULL DEFAULT 0,
    "refused" TEXT NOT NULL DEFAULT '{}',
    "created_at" DATETIME NOT NULL,
    CHECK (typeof("bytes") = 'integer' AND "bytes" BETWEEN 0 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "gateway_changes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('account', 'products', 'exits')),
    "name" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "gateway_flushes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "username" TEXT NOT NULL,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL
);

-- AlterTable
ALTER TABLE "traffic" ADD COLUMN "keep_hosts" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "usage_reports" ADD COLUMN "day" TEXT NOT NULL DEFAULT '';
UPDATE "usage_reports" SET "day" = substr("created_at", 1, 10);

-- CreateIndex
CREATE INDEX "usage_reports_traffic_id_day_idx" ON "usage_reports"("traffic_id", "day");

-- CreateIndex
CREATE INDEX "usage_reports_day_idx" ON "usage_reports"("day");

-- CreateIndex
CREATE INDEX "usage_targets_day_idx" ON "usage_targets"("day");

-- CreateIndex
CREATE UNIQUE INDEX "allowed_addresses_low_key" ON "allowed_addresses"("low");

-- CreateIndex
CREATE INDEX "allowed_addresses_traffic_id_idx" ON "allowed_addresses"("traffic_id");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_changes_kind_name_key" ON "gateway_changes"("kind", "name");

-- CreateIndex
CREATE INDEX "gateway_flushes_username_id_idx" ON "gateway_flushes"("username", "id");

-- By hand. The last change of each subject is the row with its name: its id is the revision, and grows with each change.
-- Use that the gateway reports itself is no change: it knows it.
CREATE TRIGGER "traffic_new" AFTER INSERT ON "traffic"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = NEW."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', NEW."username");
END;

CREATE TRIGGER "traffic_changed" AFTER UPDATE OF "total_bytes", "allocated_bytes", "password" ON "traffic"
WHEN NEW."total_bytes" IS NOT OLD."total_bytes" OR NEW."allocated_bytes" IS NOT OLD."allocated_bytes" OR NEW."password" IS NOT OLD."password"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = NEW."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', NEW."username");
END;

CREATE TRIGGER "traffic_keep_hosts_changed" AFTER UPDATE OF "keep_hosts" ON "traffic"
WHEN NEW."keep_hosts" IS NOT OLD."keep_hosts"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" IN (
        SELECT "username" FROM "traffic" WHERE "id" = NEW."id"
        UNION ALL SELECT s."username" FROM "sub_accounts" s JOIN "traffic" t ON t."id" = s."traffic_id" WHERE t."id" = NEW."id");
    INSERT INTO "gateway_changes" ("kind", "name") SELECT 'account', "username" FROM (
        SELECT "username" FROM "traffic" WHERE "id" = NEW."id"
        UNION ALL SELECT s."username" FROM "sub_accounts" s JOIN "traffic" t ON t."id" = s."traffic_id" WHERE t."id" = NEW."id");
END;

CREATE TRIGGER "sub_accounts_new" AFTER INSERT ON "sub_accounts"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = NEW."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', NEW."username");
END;

CREATE TRIGGER "sub_accounts_changed" AFTER UPDATE OF "limit_bytes", "status", "password" ON "sub_accounts"
WHEN NEW."limit_bytes" IS NOT OLD."limit_bytes" OR NEW."status" IS NOT OLD."status" OR NEW."password" IS NOT OLD."password"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = NEW."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', NEW."username");
END;

CREATE TRIGGER "accounts_status_changed" AFTER UPDATE OF "status" ON "accounts"
WHEN NEW."status" IS NOT OLD."status"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" IN (
        SELECT "username" FROM "traffic" WHERE "user_id" = NEW."id"
        UNION ALL SELECT s."username" FROM "sub_accounts" s JOIN "traffic" t ON t."id" = s."traffic_id" WHERE t."user_id" = NEW."id");
    INSERT INTO "gateway_changes" ("kind", "name") SELECT 'account', "username" FROM (
        SELECT "username" FROM "traffic" WHERE "user_id" = NEW."id"
        UNION ALL SELECT s."username" FROM "sub_accounts" s JOIN "traffic" t ON t."id" = s."traffic_id" WHERE t."user_id" = NEW."id");
END;

CREATE TRIGGER "allowed_addresses_new" AFTER INSERT ON "allowed_addresses"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = (SELECT "username" FROM "traffic" WHERE "id" = NEW."traffic_id");
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', (SELECT "username" FROM "traffic" WHERE "id" = NEW."traffic_id"));
END;

CREATE TRIGGER "allowed_addresses_gone" AFTER DELETE ON "allowed_addresses"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = (SELECT "username" FROM "traffic" WHERE "id" = OLD."traffic_id");
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', (SELECT "username" FROM "traffic" WHERE "id" = OLD."traffic_id"));
END;

CREATE TRIGGER "gateway_flushes_new" AFTER INSERT ON "gateway_flushes"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = NEW."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', NEW."username");
END;

CREATE TRIGGER "gateway_flushes_gone" AFTER DELETE ON "gateway_flushes"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'account' AND "name" = OLD."username";
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('account', OLD."username");
END;

CREATE TRIGGER "products_new" AFTER INSERT ON "products"
WHEN NEW."pool" IS NOT NULL
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'products' AND "name" = '';
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('products', '');
END;

CREATE TRIGGER "products_places_changed" AFTER UPDATE OF "pool", "countries", "cities" ON "products"
WHEN NEW."pool" IS NOT OLD."pool" OR NEW."countries" IS NOT OLD."countries" OR NEW."cities" IS NOT OLD."cities"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'products' AND "name" = '';
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('products', '');
END;

CREATE TRIGGER "exits_new" AFTER INSERT ON "exits"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'exits' AND "name" = '';
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('exits', '');
END;

CREATE TRIGGER "exits_changed" AFTER UPDATE OF "pool", "kind", "address", "credentials", "country", "city", "template", "status" ON "exits"
WHEN NEW."pool" IS NOT OLD."pool" OR NEW."kind" IS NOT OLD."kind" OR NEW."address" IS NOT OLD."address" OR NEW."credentials" IS NOT OLD."credentials" OR NEW."country" IS NOT OLD."country" OR NEW."city" IS NOT OLD."city" OR NEW."template" IS NOT OLD."template" OR NEW."status" IS NOT OLD."status"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'exits' AND "name" = '';
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('exits', '');
END;

CREATE TRIGGER "exits_gone" AFTER DELETE ON "exits"
BEGIN
    DELETE FROM "gateway_changes" WHERE "kind" = 'exits' AND "name" = '';
    INSERT INTO "gateway_changes" ("kind", "name") VALUES ('exits', '');
END;

-- Everything that is there is told first.
INSERT INTO "gateway_changes" ("kind", "name") VALUES ('products', ''), ('exits', '');
INSERT INTO "gateway_changes" ("kind", "name") SELECT 'account', "username" FROM "traffic";
INSERT INTO "gateway_changes" ("kind", "name") SELECT 'account', "username" FROM "sub_accounts";
