-- A refund is a whole number within the limit, as every other amount.
CREATE TABLE "new_refunds" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "refund_no" TEXT NOT NULL,
    "order_id" INTEGER,
    "dynamic_order_id" INTEGER,
    "amount" BIGINT NOT NULL CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 1 AND 9000000000000000),
    "reason" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CHECK (("order_id" IS NULL) <> ("dynamic_order_id" IS NULL)),
    CONSTRAINT "refunds_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "refunds_dynamic_order_id_fkey" FOREIGN KEY ("dynamic_order_id") REFERENCES "dynamic_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_refunds" SELECT * FROM "refunds";
DROP TABLE "refunds";
ALTER TABLE "new_refunds" RENAME TO "refunds";

CREATE UNIQUE INDEX "refunds_refund_no_key" ON "refunds"("refund_no");

CREATE INDEX "refunds_order_id_idx" ON "refunds"("order_id");

CREATE INDEX "refunds_dynamic_order_id_idx" ON "refunds"("dynamic_order_id");

CREATE TRIGGER "refunds_are_kept" BEFORE DELETE ON "refunds"
BEGIN
  SELECT RAISE(ABORT, 'refunds are kept');
END;

CREATE TRIGGER "refunds_never_change" BEFORE UPDATE ON "refunds"
BEGIN
  SELECT RAISE(ABORT, 'refunds never change');
END;
