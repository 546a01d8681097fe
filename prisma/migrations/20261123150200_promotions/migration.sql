-- Promotion codes, and what they took off the price of orders.
-- CreateTable
CREATE TABLE "promo_codes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "code" TEXT NOT NULL,
    "agent_id" INTEGER,
    "percent" INTEGER,
    "amount" BIGINT,
    "products" TEXT NOT NULL DEFAULT '[]',
    "uses" INTEGER NOT NULL DEFAULT 0,
    "max_uses" INTEGER,
    "max_uses_per_user" INTEGER,
    "valid_until" DATETIME,
    "stopped_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "promo_codes_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("code" = upper("code")),
    CHECK (("percent" IS NULL) <> ("amount" IS NULL)),
    CHECK ("percent" IS NULL OR (typeof("percent") = 'integer' AND "percent" BETWEEN 1 AND 100)),
    CHECK ("amount" IS NULL OR (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND 9000000000000000)),
    CHECK ("max_uses" IS NULL OR "max_uses" >= 1),
    CHECK ("max_uses_per_user" IS NULL OR "max_uses_per_user" >= 1),
    CHECK ("uses" BETWEEN 0 AND coalesce("max_uses", "uses"))
);

-- CreateTable
CREATE TABLE "promo_uses" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "code_id" INTEGER NOT NULL,
    "order_no" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "discount" BIGINT NOT NULL,
    "returned_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "promo_uses_code_id_fkey" FOREIGN KEY ("code_id") REFERENCES "promo_codes" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "promo_uses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("discount") = 'integer' AND "discount" BETWEEN 1 AND 9000000000000000)
);

-- The total of an order is what was paid, after the discount; each proxy has its share of it.
ALTER TABLE "static_orders" ADD COLUMN "discount" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("discount") = 'integer' AND "discount" BETWEEN 0 AND 9000000000000000);
ALTER TABLE "static_orders" ADD COLUMN "promo_code" TEXT CHECK (("promo_code" IS NOT NULL) = ("discount" > 0));
ALTER TABLE "dynamic_orders" ADD COLUMN "discount" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("discount") = 'integer' AND "discount" BETWEEN 0 AND 9000000000000000);
ALTER TABLE "dynamic_orders" ADD COLUMN "promo_code" TEXT CHECK (("promo_code" IS NOT NULL) = ("discount" > 0));
ALTER TABLE "instances" ADD COLUMN "discount" BIGINT NOT NULL DEFAULT 0
    CHECK (typeof("discount") = 'integer' AND "discount" BETWEEN 0 AND 9000000000000000);

-- CreateIndex
CREATE UNIQUE INDEX "promo_codes_code_key" ON "promo_codes"("code");

-- CreateIndex
CREATE INDEX "promo_codes_agent_id_id_idx" ON "promo_codes"("agent_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "promo_uses_order_no_key" ON "promo_uses"("order_no");

-- CreateIndex
CREATE INDEX "promo_uses_code_id_user_id_idx" ON "promo_uses"("code_id", "user_id");

-- A use stays; only that it was given back is noted, once.
CREATE TRIGGER "promo_uses_no_delete" BEFORE DELETE ON "promo_uses"
BEGIN
    SELECT RAISE(ABORT, 'uses of promotion codes are kept');
END;
CREATE TRIGGER "promo_uses_stay" BEFORE UPDATE ON "promo_uses"
WHEN OLD."returned_at" IS NOT NULL OR NEW."returned_at" IS NULL OR NEW."code_id" <> OLD."code_id"
    OR NEW."order_no" <> OLD."order_no" OR NEW."user_id" <> OLD."user_id" OR NEW."discount" <> OLD."discount"
BEGIN
    SELECT RAISE(ABORT, 'uses of promotion codes are only given back, and once');
END;
