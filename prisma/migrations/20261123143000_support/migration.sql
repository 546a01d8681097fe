-- Customers write to support; a ticket is what they write about one matter.
ALTER TABLE "accounts" ADD COLUMN "takes_tickets" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "tickets" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "ticket_no" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "agent_id" INTEGER,
    "topic" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT 'open' CHECK ("status" IN ('open', 'waiting', 'closed')),
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    CONSTRAINT "tickets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "tickets_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "accounts" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "tickets_ticket_no_key" ON "tickets"("ticket_no");

CREATE INDEX "tickets_account_id_id_idx" ON "tickets"("account_id", "id");

CREATE INDEX "tickets_agent_id_status_idx" ON "tickets"("agent_id", "status");

CREATE UNIQUE INDEX "tickets_not_closed" ON "tickets"("account_id", "topic") WHERE status <> 'closed';

CREATE TABLE "ticket_messages" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "ticket_id" INTEGER NOT NULL,
    "author" TEXT NOT NULL CHECK ("author" IN ('customer', 'agent', 'shop')),
    "text" TEXT NOT NULL,
    "file_kind" TEXT,
    "file_id" TEXT,
    "source" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    CHECK (("file_kind" IS NULL) = ("file_id" IS NULL)),
    CONSTRAINT "ticket_messages_ticket_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "tickets" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "ticket_messages_source_key" ON "ticket_messages"("source");

CREATE INDEX "ticket_messages_ticket_id_id_idx" ON "ticket_messages"("ticket_id", "id");

CREATE TABLE "ticket_threads" (
    "ticket_id" INTEGER NOT NULL,
    "chat_id" BIGINT NOT NULL,
    "thread_id" INTEGER NOT NULL,
    PRIMARY KEY ("ticket_id", "chat_id"),
    CONSTRAINT "ticket_threads_ticket_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "tickets" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
