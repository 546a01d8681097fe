-- CreateTable
CREATE TABLE "accounts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "level" INTEGER,
    "funding" TEXT,
    "agent_id" INTEGER,
    "email" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "remark" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT 'active',
    "balance" BIGINT NOT NULL DEFAULT 0,
    "total_recharge" BIGINT NOT NULL DEFAULT 0,
    "total_consumption" BIGINT NOT NULL DEFAULT 0,
    "token_version" INTEGER NOT NULL DEFAULT 1,
    "activated" BOOLEAN NOT NULL DEFAULT true,
    "activation_hash" TEXT,
    "activation_until" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "accounts_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("balance") = 'integer' AND "balance" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("total_recharge") = 'integer' AND "total_recharge" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("total_consumption") = 'integer' AND "total_consumption" BETWEEN 0 AND 9000000000000000),
    CHECK ("role" IN ('agent', 'user')),
    CHECK ("status" IN ('active', 'disabled', 'deleted')),
    CHECK ("activated" = 0 OR "activation_hash" IS NULL),
    CHECK (("role" = 'agent') = ("level" IS NOT NULL AND "funding" IN ('transfer', 'mint')))
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "transaction_no" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "scope_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "balance_after" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "order_type" TEXT,
    "order_no" TEXT,
    "operator_id" INTEGER,
    "remark" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "ledger_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN -9000000000000000 AND 9000000000000000),
    CHECK (typeof("balance_after") = 'integer' AND "balance_after" BETWEEN 0 AND 9000000000000000),
    CHECK ("type" IN ('recharge', 'consumption', 'refund', 'adjust', 'transfer_in', 'transfer_out'))
);

-- CreateTable
CREATE TABLE "ledger_days" (
    "viewer_id" INTEGER NOT NULL,
    "sub_users" BOOLEAN NOT NULL,
    "day" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "order_type" TEXT NOT NULL,
    "entries" INTEGER NOT NULL,
    "income" BIGINT NOT NULL,
    "expense" BIGINT NOT NULL,

    PRIMARY KEY ("viewer_id", "sub_users", "day", "type", "order_type"),
    CHECK (typeof("income") = 'integer' AND "income" >= 0),
    CHECK (typeof("expense") = 'integer' AND "expense" >= 0)
);

-- CreateTable
CREATE TABLE "products" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "product_no" TEXT NOT NULL,
    "name_en" TEXT NOT NULL,
    "name_zh" TEXT NOT NULL,
    "proxy_type" INTEGER NOT NULL,
    "product_type" INTEGER NOT NULL,
    "period_unit" INTEGER NOT NULL,
    "period_length" INTEGER NOT NULL,
    "pool" TEXT,
    "gateway_host" TEXT,
    "gateway_port" INTEGER,
    "projects" TEXT NOT NULL DEFAULT '[]',
    "refund_hours" INTEGER NOT NULL DEFAULT 24,
    "cidr_supported" BOOLEAN NOT NULL DEFAULT false,
    "assign_ip_supported" BOOLEAN NOT NULL DEFAULT false,
    "supplier" TEXT NOT NULL DEFAULT 'inventory',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CHECK (("pool" IS NULL) = ("gateway_host" IS NULL) AND ("pool" IS NULL) = ("gateway_port" IS NULL)),
    CHECK ("gateway_port" BETWEEN 1 AND 65535)
);

-- CreateTable
CREATE TABLE "prices" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "product_id" INTEGER NOT NULL,
    "scope" TEXT NOT NULL,
    "min_quantity" INTEGER NOT NULL,
    "price" BIGINT NOT NULL,
    CONSTRAINT "prices_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CHECK (typeof("price") = 'integer' AND "price" BETWEEN 0 AND 9000000000000000),
    CHECK ("min_quantity" >= 0)
);

-- CreateTable
CREATE TABLE "locations" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "product_id" INTEGER NOT NULL,
    "country_code" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT '',
    "city_code" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "locations_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "stock_ips" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "location_id" INTEGER NOT NULL,
    "ip" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "username" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "cidr" TEXT NOT NULL DEFAULT '',
    "seat" TEXT NOT NULL DEFAULT '',
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "order_id" INTEGER,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "stock_ips_location_id_fkey" FOREIGN KEY ("location_id") REFERENCES "locations" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "stock_ips_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "static_orders" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_no" TEXT NOT NULL,
    "caller_id" INTEGER NOT NULL,
    "app_order_no" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "project_id" TEXT,
    "country_code" TEXT,
    "city_code" TEXT,
    "static_type" TEXT,
    "ip_count" INTEGER NOT NULL,
    "success_count" INTEGER NOT NULL DEFAULT 0,
    "duration" INTEGER NOT NULL,
    "unit" INTEGER NOT NULL,
    "cycle_times" INTEGER NOT NULL,
    "periods" INTEGER NOT NULL,
    "unit_price" BIGINT NOT NULL,
    "total_amount" BIGINT NOT NULL,
    "refunded_amount" BIGINT NOT NULL DEFAULT 0,
    "renewed_amount" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'processing',
    "fail_reason" TEXT,
    "provider_order_no" TEXT,
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "remark" TEXT NOT NULL DEFAULT '',
    "expire_time" DATETIME,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "static_orders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "static_orders_caller_id_fkey" FOREIGN KEY ("caller_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "static_orders_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("unit_price") = 'integer' AND "unit_price" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("total_amount") = 'integer' AND "total_amount" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("renewed_amount") = 'integer' AND "renewed_amount" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("refunded_amount") = 'integer' AND "refunded_amount" BETWEEN 0 AND "total_amount" + "renewed_amount"),
    CHECK ("success_count" BETWEEN 0 AND "ip_count"),
    CHECK ("status" IN ('processing', 'active', 'partial', 'failed', 'expired', 'cancelled'))
);

-- CreateTable
CREATE TABLE "instances" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "instance_no" TEXT NOT NULL,
    "order_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "provider_instance_no" TEXT NOT NULL,
    "ip" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "username" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "cidr" TEXT NOT NULL DEFAULT '',
    "country_code" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT '',
    "city_code" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT 'active',
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "opened_at" DATETIME NOT NULL,
    "expire_time" DATETIME NOT NULL,
    "released_at" DATETIME,
    "refunded_amount" BIGINT NOT NULL DEFAULT 0,
    "cancellation_id" INTEGER,
    CONSTRAINT "instances_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "instances_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "instances_cancellation_id_fkey" FOREIGN KEY ("cancellation_id") REFERENCES "cancellations" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("refunded_amount") = 'integer' AND "refunded_amount" BETWEEN 0 AND 9000000000000000),
    CHECK ("status" IN ('active', 'expired', 'released')),
    CHECK ("status" <> 'active' OR "released_at" IS NULL),
    CHECK ("status" <> 'released' OR "released_at" IS NOT NULL)
);

-- CreateTable
CREATE TABLE "renewals" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "renew_order_no" TEXT NOT NULL,
    "order_id" INTEGER NOT NULL,
    "caller_id" INTEGER NOT NULL,
    "app_order_no" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "automatic" BOOLEAN NOT NULL DEFAULT false,
    "amount" BIGINT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "renewals_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "renewals_caller_id_fkey" FOREIGN KEY ("caller_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 0 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "renewed_instances" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "renewal_id" INTEGER NOT NULL,
    "instance_id" INTEGER NOT NULL,
    "unit_price" BIGINT NOT NULL,
    "periods" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "old_expire_time" DATETIME NOT NULL,
    "new_expire_time" DATETIME NOT NULL,
    CONSTRAINT "renewed_instances_renewal_id_fkey" FOREIGN KEY ("renewal_id") REFERENCES "renewals" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "renewed_instances_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instances" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("unit_price") = 'integer' AND "unit_price" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("amount") = 'integer' AND "amount" BETWEEN 0 AND 9000000000000000 AND "amount" = "unit_price" * "periods"),
    CHECK ("new_expire_time" > "old_expire_time")
);

-- CreateTable
CREATE TABLE "cancellations" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "cancel_no" TEXT NOT NULL,
    "order_id" INTEGER NOT NULL,
    "caller_id" INTEGER NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "refund_amount" BIGINT NOT NULL DEFAULT 0,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "cancellations_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "cancellations_caller_id_fkey" FOREIGN KEY ("caller_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("refund_amount") = 'integer' AND "refund_amount" BETWEEN 0 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "traffic" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "total_bytes" BIGINT NOT NULL DEFAULT 0,
    "used_bytes" BIGINT NOT NULL DEFAULT 0,
    "allocated_bytes" BIGINT NOT NULL DEFAULT 0,
    "username" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "traffic_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "traffic_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("total_bytes") = 'integer' AND "total_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("used_bytes") = 'integer' AND "used_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("allocated_bytes") = 'integer' AND "allocated_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK ("used_bytes" + "allocated_bytes" <= "total_bytes")
);

-- CreateTable
CREATE TABLE "dynamic_orders" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_no" TEXT NOT NULL,
    "caller_id" INTEGER NOT NULL,
    "app_order_no" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "traffic_bytes" BIGINT NOT NULL,
    "used_bytes" BIGINT NOT NULL DEFAULT 0,
    "unit_price" BIGINT NOT NULL,
    "total_amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "remark" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "dynamic_orders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "dynamic_orders_caller_id_fkey" FOREIGN KEY ("caller_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "dynamic_orders_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("traffic_bytes") = 'integer' AND "traffic_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("used_bytes") = 'integer' AND "used_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("unit_price") = 'integer' AND "unit_price" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("total_amount") = 'integer' AND "total_amount" BETWEEN 0 AND 9000000000000000),
    CHECK ("used_bytes" <= "traffic_bytes"),
    CHECK ("status" IN ('processing', 'active', 'exhausted', 'cancelled', 'failed'))
);

-- CreateTable
CREATE TABLE "sub_accounts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "traffic_id" INTEGER NOT NULL,
    "username" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "limit_bytes" BIGINT NOT NULL DEFAULT 0,
    "used_bytes" BIGINT NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'active',
    "remark" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "sub_accounts_traffic_id_fkey" FOREIGN KEY ("traffic_id") REFERENCES "traffic" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("limit_bytes") = 'integer' AND "limit_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("used_bytes") = 'integer' AND "used_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK ("used_bytes" <= "limit_bytes"),
    CHECK ("status" IN ('active', 'disabled', 'deleted'))
);

-- CreateTable
CREATE TABLE "traffic_moves" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "sub_account_id" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "operator_id" INTEGER NOT NULL,
    "remark" TEXT NOT NULL DEFAULT '',
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "traffic_moves_sub_account_id_fkey" FOREIGN KEY ("sub_account_id") REFERENCES "sub_accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("bytes") = 'integer' AND "bytes" BETWEEN -9000000000000000 AND 9000000000000000)
);

-- CreateTable
CREATE TABLE "usage_reports" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "report_id" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "traffic_id" INTEGER NOT NULL,
    "sub_account_id" INTEGER,
    "bytes" BIGINT NOT NULL,
    "counted_bytes" BIGINT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "usage_reports_traffic_id_fkey" FOREIGN KEY ("traffic_id") REFERENCES "traffic" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "usage_reports_sub_account_id_fkey" FOREIGN KEY ("sub_account_id") REFERENCES "sub_accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK (typeof("bytes") = 'integer' AND "bytes" BETWEEN 0 AND 9000000000000000),
    CHECK (typeof("counted_bytes") = 'integer' AND "counted_bytes" BETWEEN 0 AND 9000000000000000),
    CHECK ("counted_bytes" <= "bytes")
);

-- CreateTable
CREATE TABLE "extract_links" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "token_hash" TEXT NOT NULL,
    "traffic_id" INTEGER NOT NULL,
    "options" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "extract_links_traffic_id_fkey" FOREIGN KEY ("traffic_id") REFERENCES "traffic" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "run_at" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leased_until" DATETIME,
    "last_error" TEXT,
    "created_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "chats" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "account_id" INTEGER,
    "account_version" INTEGER,
    "language" TEXT NOT NULL,
    "screen_message" INTEGER,
    "last_update" BIGINT NOT NULL DEFAULT 0,
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "chats_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "notices" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chat_id" BIGINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "created_at" DATETIME NOT NULL,
    "sent_at" DATETIME,
    CONSTRAINT "notices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("status" IN ('pending', 'sent', 'blocked', 'void'))
);

-- CreateTable
CREATE TABLE "dialogues" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "accounts_username_key_key" ON "accounts"("username_key");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_activation_hash_key" ON "accounts"("activation_hash");

-- CreateIndex
CREATE INDEX "accounts_agent_id_id_idx" ON "accounts"("agent_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_transaction_no_key" ON "ledger_entries"("transaction_no");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_source_key" ON "ledger_entries"("source");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries"("account_id", "id");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_type_created_at_idx" ON "ledger_entries"("account_id", "type", "created_at");

-- CreateIndex
CREATE INDEX "ledger_entries_scope_id_type_created_at_idx" ON "ledger_entries"("scope_id", "type", "created_at");

-- CreateIndex
CREATE INDEX "ledger_entries_order_no_idx" ON "ledger_entries"("order_no");

-- CreateIndex
CREATE UNIQUE INDEX "products_product_no_key" ON "products"("product_no");

-- CreateIndex
CREATE UNIQUE INDEX "prices_product_id_scope_min_quantity_key" ON "prices"("product_id", "scope", "min_quantity");

-- CreateIndex
CREATE UNIQUE INDEX "locations_product_id_country_code_state_city_code_key" ON "locations"("product_id", "country_code", "state", "city_code");

-- CreateIndex
CREATE INDEX "stock_ips_order_id_idx" ON "stock_ips"("order_id") WHERE order_id IS NOT NULL;

-- CreateIndex
CREATE INDEX "stock_ips_location_id_cidr_idx" ON "stock_ips"("location_id", "cidr");

-- CreateIndex
CREATE UNIQUE INDEX "stock_ips_ip_seat_key" ON "stock_ips"("ip", "seat");

-- CreateIndex
CREATE UNIQUE INDEX "static_orders_order_no_key" ON "static_orders"("order_no");

-- CreateIndex
CREATE INDEX "static_orders_user_id_id_idx" ON "static_orders"("user_id", "id");

-- CreateIndex
CREATE INDEX "static_orders_user_id_status_id_idx" ON "static_orders"("user_id", "status", "id");

-- CreateIndex
CREATE INDEX "static_orders_app_order_no_idx" ON "static_orders"("app_order_no");

-- CreateIndex
CREATE INDEX "static_orders_user_id_created_at_idx" ON "static_orders"("user_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "static_orders_caller_id_app_order_no_key" ON "static_orders"("caller_id", "app_order_no");

-- CreateIndex
CREATE UNIQUE INDEX "instances_instance_no_key" ON "instances"("instance_no");

-- CreateIndex
CREATE INDEX "instances_ip_port_idx" ON "instances"("ip", "port");

-- CreateIndex
CREATE INDEX "instances_user_id_status_expire_time_order_id_idx" ON "instances"("user_id", "status", "expire_time", "order_id");

-- CreateIndex
CREATE INDEX "instances_user_id_country_code_state_city_code_order_id_idx" ON "instances"("user_id", "country_code", "state", "city_code", "order_id");

-- CreateIndex
CREATE INDEX "instances_cancellation_id_idx" ON "instances"("cancellation_id");

-- CreateIndex
CREATE INDEX "instances_to_expire" ON "instances"("expire_time") WHERE status = 'active';

-- CreateIndex
CREATE INDEX "instances_to_renew" ON "instances"("expire_time") WHERE status = 'active' AND auto_renew = 1;

-- CreateIndex
CREATE INDEX "instances_in_grace" ON "instances"("expire_time") WHERE status = 'expired' AND released_at IS NULL;

-- CreateIndex
CREATE UNIQUE INDEX "renewals_renew_order_no_key" ON "renewals"("renew_order_no");

-- CreateIndex
CREATE INDEX "renewals_order_id_idx" ON "renewals"("order_id");

-- CreateIndex
CREATE UNIQUE INDEX "renewals_caller_id_app_order_no_key" ON "renewals"("caller_id", "app_order_no");

-- CreateIndex
CREATE INDEX "renewed_instances_instance_id_idx" ON "renewed_instances"("instance_id");

-- CreateIndex
CREATE UNIQUE INDEX "renewed_instances_renewal_id_instance_id_key" ON "renewed_instances"("renewal_id", "instance_id");

-- CreateIndex
CREATE UNIQUE INDEX "cancellations_cancel_no_key" ON "cancellations"("cancel_no");

-- CreateIndex
CREATE INDEX "cancellations_order_id_idx" ON "cancellations"("order_id");

-- CreateIndex
CREATE INDEX "instances_user_id_id_idx" ON "instances"("user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "instances_order_id_provider_instance_no_key" ON "instances"("order_id", "provider_instance_no");

-- CreateIndex
CREATE UNIQUE INDEX "traffic_user_id_product_id_key" ON "traffic"("user_id", "product_id");

-- CreateIndex
CREATE UNIQUE INDEX "traffic_username_key" ON "traffic"("username");

-- CreateIndex
CREATE UNIQUE INDEX "dynamic_orders_order_no_key" ON "dynamic_orders"("order_no");

-- CreateIndex
CREATE INDEX "dynamic_orders_user_id_id_idx" ON "dynamic_orders"("user_id", "id");

-- CreateIndex
CREATE INDEX "dynamic_orders_user_id_product_id_id_idx" ON "dynamic_orders"("user_id", "product_id", "id");

-- CreateIndex
CREATE INDEX "dynamic_orders_app_order_no_idx" ON "dynamic_orders"("app_order_no");

-- CreateIndex
CREATE UNIQUE INDEX "dynamic_orders_caller_id_app_order_no_key" ON "dynamic_orders"("caller_id", "app_order_no");

-- CreateIndex
CREATE UNIQUE INDEX "sub_accounts_username_key" ON "sub_accounts"("username");

-- CreateIndex
CREATE INDEX "sub_accounts_traffic_id_id_idx" ON "sub_accounts"("traffic_id", "id");

-- CreateIndex
CREATE INDEX "traffic_moves_sub_account_id_id_idx" ON "traffic_moves"("sub_account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_reports_report_id_key" ON "usage_reports"("report_id");

-- CreateIndex
CREATE INDEX "usage_reports_traffic_id_id_idx" ON "usage_reports"("traffic_id", "id");

-- CreateIndex
CREATE INDEX "usage_reports_sub_account_id_id_idx" ON "usage_reports"("sub_account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "extract_links_token_hash_key" ON "extract_links"("token_hash");

-- CreateIndex
CREATE INDEX "extract_links_traffic_id_id_idx" ON "extract_links"("traffic_id", "id");

-- CreateIndex
CREATE INDEX "jobs_run_at_idx" ON "jobs"("run_at");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_kind_key_key" ON "jobs"("kind", "key");

-- CreateIndex
CREATE INDEX "chats_account_id_idx" ON "chats"("account_id");

-- CreateIndex
CREATE INDEX "notices_chat_id_status_idx" ON "notices"("chat_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "notices_kind_subject_chat_id_key" ON "notices"("kind", "subject", "chat_id");

-- CreateIndex
CREATE UNIQUE INDEX "instances_in_use" ON "instances"("ip", "port", "username") WHERE status = 'active';

-- CreateIndex
CREATE INDEX "stock_ips_free" ON "stock_ips"("location_id", "id") WHERE order_id IS NULL AND disabled = 0;

-- By hand: what Prisma's schema cannot say. Repeat it when a later migration rebuilds one of these tables.

-- The ledger is append-only: corrections are new entries.
CREATE TRIGGER "ledger_entries_no_update" BEFORE UPDATE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never changed');
END;
CREATE TRIGGER "ledger_entries_no_delete" BEFORE DELETE ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entries are never deleted');
END;

-- An entry moves the balance; nothing else can.
CREATE TRIGGER "ledger_entries_move_balance" AFTER INSERT ON "ledger_entries"
BEGIN
    SELECT RAISE(ABORT, 'ledger entry does not continue the balance')
    FROM "accounts" WHERE "id" = NEW."account_id" AND "balance" + NEW."amount" <> NEW."balance_after";
    UPDATE "accounts" SET
        "balance" = NEW."balance_after",
        "total_recharge" = "total_recharge" + CASE
            WHEN NEW."amount" > 0 AND (NEW."type" IN ('recharge', 'adjust') OR (NEW."type" = 'transfer_in' AND "agent_id" IS NOT NULL))
            THEN NEW."amount" ELSE 0 END,
        "total_consumption" = "total_consumption" - CASE WHEN NEW."type" IN ('consumption', 'refund') THEN NEW."amount" ELSE 0 END,
        "updated_at" = NEW."created_at"
    WHERE "id" = NEW."account_id";
END;
-- An entry counts in the records of its account, and in those of the account's agent.
CREATE TRIGGER "ledger_entries_add_up" AFTER INSERT ON "ledger_entries"
BEGIN
    INSERT INTO "ledger_days" ("viewer_id", "sub_users", "day", "type", "order_type", "entries", "income", "expense")
    SELECT "viewer_id", "sub_users", substr(NEW."created_at", 1, 10), NEW."type", coalesce(NEW."order_type", ''), 1,
           max(NEW."amount", 0), max(-NEW."amount", 0)
    FROM (SELECT NEW."account_id" AS "viewer_id", 0 AS "sub_users"
          UNION ALL SELECT NEW."scope_id", 1 WHERE NEW."scope_id" <> NEW."account_id")
    WHERE true
    ON CONFLICT DO UPDATE SET
        "entries" = "entries" + 1, "income" = "income" + excluded."income", "expense" = "expense" + excluded."expense";
END;
CREATE TRIGGER "accounts_start_empty" BEFORE INSERT ON "accounts" WHEN NEW."balance" <> 0
BEGIN
    SELECT RAISE(ABORT, 'a balance is moved by a ledger entry only');
END;
CREATE TRIGGER "accounts_balance_by_ledger" BEFORE UPDATE OF "balance" ON "accounts"
WHEN NEW."balance" <> OLD."balance" AND NEW."balance" IS NOT (
    SELECT "balance_after" FROM "ledger_entries" WHERE "account_id" = NEW."id" ORDER BY "id" DESC LIMIT 1
)
BEGIN
    SELECT RAISE(ABORT, 'a balance is moved by a ledger entry only');
END;
