-- Proxies are checked before they are delivered. An order that names its proxies gets no others in place of dead ones.
ALTER TABLE "static_orders" ADD COLUMN "names_proxies" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "delivery_checks" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "subject" TEXT NOT NULL,
    "supplier" TEXT NOT NULL,
    "started_at" DATETIME NOT NULL,
    "seen" TEXT NOT NULL DEFAULT '{}',
    "checked" INTEGER NOT NULL DEFAULT 0,
    "failing" INTEGER NOT NULL DEFAULT 0,
    "skipped" BOOLEAN NOT NULL DEFAULT false
);

CREATE UNIQUE INDEX "delivery_checks_subject_key" ON "delivery_checks"("subject");

CREATE INDEX "delivery_checks_started_at_idx" ON "delivery_checks"("started_at");
