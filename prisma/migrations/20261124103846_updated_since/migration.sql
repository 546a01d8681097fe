-- When what a customer is shown of a proxy changed last (rules 1.19); until now the release was the last change that is known.
ALTER TABLE "instances" ADD COLUMN "updated_at" DATETIME NOT NULL DEFAULT '1970-01-01T00:00:00.000Z';
UPDATE "instances" SET "updated_at" = max("opened_at", coalesce("released_at", "opened_at"));

CREATE INDEX "instances_user_id_updated_at_idx" ON "instances"("user_id", "updated_at");
CREATE INDEX "static_orders_user_id_updated_at_idx" ON "static_orders"("user_id", "updated_at");
CREATE INDEX "dynamic_orders_user_id_updated_at_idx" ON "dynamic_orders"("user_id", "updated_at");
CREATE INDEX "top_ups_user_id_updated_at_idx" ON "top_ups"("user_id", "updated_at");

-- An order shows its proxies: it changes with them.
CREATE TRIGGER "instances_change_order" AFTER UPDATE OF "updated_at" ON "instances"
BEGIN
    UPDATE "static_orders" SET "updated_at" = NEW."updated_at"
    WHERE "id" = NEW."order_id" AND "updated_at" < NEW."updated_at";
END;
