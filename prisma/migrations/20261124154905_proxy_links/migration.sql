-- Public links to the proxies of an account that are in use.
-- CreateTable
CREATE TABLE "proxy_links" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "token_hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "order_id" INTEGER,
    "content" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "delimiter" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "proxy_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "proxy_links_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "static_orders" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CHECK ("content" IN ('txt', 'csv', 'json')),
    CHECK ("delimiter" BETWEEN 1 AND 5)
);

-- CreateIndex
CREATE UNIQUE INDEX "proxy_links_token_hash_key" ON "proxy_links"("token_hash");

-- CreateIndex
CREATE INDEX "proxy_links_user_id_id_idx" ON "proxy_links"("user_id", "id");
