-- Links by which somebody becomes a person who runs the shop.
CREATE TABLE "person_invites" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "token_hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL CHECK ("role" IN ('owner', 'manager', 'support', 'finance')),
    "expires_at" DATETIME NOT NULL,
    "ended_at" DATETIME,
    "created_at" DATETIME NOT NULL
);

CREATE UNIQUE INDEX "person_invites_token_hash_key" ON "person_invites"("token_hash");
