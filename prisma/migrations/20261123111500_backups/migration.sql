-- Backups that the service made, and the attempts that failed.
-- CreateTable
CREATE TABLE "backups" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL CHECK (typeof("bytes") = 'integer' AND "bytes" >= 0),
    "places" TEXT NOT NULL DEFAULT '[]' CHECK (json_type("places") = 'array'),
    "problem" TEXT CHECK ("problem" IN ('no_room', 'damaged', 'unbalanced', 'folder', 's3', 'chat', 'failed')),
    "detail" TEXT,
    "started_at" DATETIME NOT NULL,
    "ended_at" DATETIME NOT NULL,
    CHECK ("problem" IS NOT NULL OR "places" <> '[]')
);

-- CreateIndex
CREATE UNIQUE INDEX "backups_name_key" ON "backups"("name");
