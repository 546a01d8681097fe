-- Who made what lets somebody in, so that it ends when its maker loses the right to it.
ALTER TABLE "accounts" ADD COLUMN "own_since" TEXT COLLATE "C";
ALTER TABLE "allowed_addresses" ADD COLUMN "made_by" BIGINT, ADD COLUMN "key_id" BIGINT;
ALTER TABLE "extract_links" ADD COLUMN "made_by" BIGINT, ADD COLUMN "key_id" BIGINT;
ALTER TABLE "proxy_links" ADD COLUMN "made_by" BIGINT, ADD COLUMN "key_id" BIGINT;
ALTER TABLE "join_links" ADD COLUMN "key_id" BIGINT;
ALTER TABLE "invites" ADD COLUMN "made_by" BIGINT, ADD COLUMN "person_id" BIGINT,
    ADD COLUMN "unnamed" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "person_invites" ADD COLUMN "person_id" BIGINT, ADD COLUMN "unnamed" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "proxy_links_by_key" ON "proxy_links"("key_id") WHERE key_id IS NOT NULL;
CREATE INDEX "extract_links_by_key" ON "extract_links"("key_id") WHERE key_id IS NOT NULL;
CREATE INDEX "allowed_addresses_by_key" ON "allowed_addresses"("key_id") WHERE key_id IS NOT NULL;
CREATE INDEX "join_links_by_key" ON "join_links"("key_id") WHERE key_id IS NOT NULL;
CREATE INDEX "invites_by_person" ON "invites"("person_id") WHERE person_id IS NOT NULL;

-- Whoever registered by a link of an agent, and has had one password, chose it.
-- contract: a new column, which the version before does not know
UPDATE "accounts" SET "own_since" = (SELECT j."created_at" FROM "joined" j WHERE j."account_id" = "accounts"."id")
WHERE "token_version" = 1 AND "id" IN (SELECT "account_id" FROM "joined");

-- The trail knows who made the links for persons that can be opened; those of persons who may not make any by now end.
-- contract: a new column, which the version before does not know
UPDATE "person_invites" SET "person_id" = (
    SELECT t."person_id" FROM "trail" t
    WHERE t."action" = 'person.invite' AND (t."details"::json ->> 'invite')::bigint = "person_invites"."id")
WHERE "ended_at" IS NULL;
-- contract: the version before reads an ended link as ended
UPDATE "person_invites" SET "ended_at" = "created_at"
WHERE "ended_at" IS NULL AND "person_id" IS NOT NULL
    AND "person_id" NOT IN (SELECT "id" FROM "people" WHERE "removed_at" IS NULL AND "role" = 'owner');

-- Gateways hear of the addresses that an agent has entered for its sub-users when the agent is disabled or enabled.
-- contract: it notes changes for gateways, and refuses nothing
CREATE FUNCTION gateway_addresses_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM gateway_change('account', "username") FROM (
        SELECT DISTINCT t."username" FROM "accounts" u JOIN "traffic" t ON t."user_id" = u."id"
        JOIN "allowed_addresses" a ON a."traffic_id" = t."id"
        WHERE u."agent_id" = NEW."id" AND a."made_by" = NEW."id") AS "named";
    RETURN NULL;
END $$;
-- contract: it notes changes for gateways, and refuses nothing
CREATE TRIGGER "accounts_status_changed_addresses" AFTER UPDATE OF "status" ON "accounts" FOR EACH ROW
    WHEN (NEW."status" IS DISTINCT FROM OLD."status" AND NEW."role" = 'agent')
    EXECUTE FUNCTION gateway_addresses_of_agent();
